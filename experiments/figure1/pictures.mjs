// Saves every chart of a report as SVG, as its own buttons do: the pictures of docs/reproduction.md.
//
//     node experiments/figure1/pictures.mjs REPORT.html FOLDER
//
// From the project's root, after `make test` has installed the browser's driver.

import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const MODULES = process.env.MODULES ?? 'build/release/tests/report/browser/node_modules';
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const [report, folder] = process.argv.slice(2).map((name) => path.resolve(name));

const {chromium} = createRequire(path.resolve(MODULES, 'any.js'))('playwright-core');
const browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu']});
const page = await browser.newPage({viewport: {width: 1280, height: 900}});
await page.goto(pathToFileURL(report).href);
await page.locator('.chart svg').last().waitFor();
fs.mkdirSync(folder, {recursive: true});
for (const button of await page.getByRole('button', {name: /as SVG$/}).all()) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await file.saveAs(path.join(folder, file.suggestedFilename()));
  console.log(path.join(path.relative('.', folder), file.suggestedFilename()));
}
await browser.close();
