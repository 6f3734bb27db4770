// Opens the page of soba report in Chromium and uses it as a reader would: hovers, hides, switches,
// downloads, on a wide screen, on a phone, in the dark and on paper. Screenshots stay in ARTEFACTS.
//
//     SOBA=… CHROMIUM=… PYTHON=… MODULES=… ARTEFACTS=… node --test page_test.mjs

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

const {SOBA, CHROMIUM, PYTHON, MODULES, ARTEFACTS} = process.env;
const {chromium} = createRequire(path.join(MODULES, 'any.js'))('playwright-core');
const here = path.dirname(fileURLToPath(import.meta.url));

const WIDE = {viewport: {width: 1280, height: 900}};
const PHONE = {viewport: {width: 390, height: 844}, deviceScaleFactor: 2, isMobile: true, hasTouch: true};
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-quic'];
// Charts of the made-up sweep (tests/cli/rows.py): three data sets; axes gamma and eta, of the last
// also covariance; then the examples.
const CONTENDERS = [5, 5, 5, 5, 5, 5, 6, 6, 6, 6];

let folder, browser, address, crowd, summary;

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soba-report-'));
  fs.mkdirSync(ARTEFACTS, {recursive: true});
  const rows = path.join(folder, 'rows.jsonl'), page = path.join(folder, 'report.html');
  fs.writeFileSync(rows, execFileSync(PYTHON, ['-B', path.join(here, '../cli/rows.py')], {maxBuffer: 1 << 26}));
  execFileSync(SOBA, ['report', rows, '--output', page, '--quiet']);
  summary = execFileSync(SOBA, ['report', rows, '--format', 'csv'], {encoding: 'utf8'});
  address = pathToFileURL(page).href;
  crowd = pathToFileURL(makePage('crowd')).href;
  browser = await chromium.launch({executablePath: CHROMIUM, args: FLAGS});
});

// A page of other rows (tests/cli/rows.py).
function makePage(kind) {
  const rows = path.join(folder, `${kind}.jsonl`), page = path.join(folder, `${kind}.html`);
  fs.writeFileSync(rows, execFileSync(PYTHON, ['-B', path.join(here, '../cli/rows.py'), kind], {maxBuffer: 1 << 26}));
  execFileSync(SOBA, ['report', rows, '--output', page, '--quiet']);
  return page;
}

after(async () => {
  await browser?.close();
  fs.rmSync(folder, {recursive: true, force: true});
});

// Opens the page; whatever it complains of, or asks of the network, is a failure.
async function withPage(options, use, at = address) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const own = request.url() === at || /^(data|blob):/.test(request.url());
    if (!own) complaints.push(`request of ${request.url()}`);
  });
  await page.goto(at);
  await page.locator('.chart svg').last().waitFor();
  await use(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

const screenshot = (page, name, options) =>
  page.screenshot({path: path.join(ARTEFACTS, `report-${name}.png`), ...options});
const curves = (page) => page.locator('.chart').evaluateAll((charts) =>
  charts.map((chart) => chart.querySelectorAll('.curve_marks path').length));
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

// Where one contender has its point at one value of a chart's axis.
function pointPlace(page, chart, contender, x) {
  return page.locator('.chart').nth(chart).evaluate((box, [name, value]) => {
    const {view} = charts.find((entry) => entry.box === box);
    const items = (item) => (item.items ? item.items.flatMap(items) : [item]);
    const found = items(view.scenegraph().root).find(({mark, datum}) =>
      mark.name === 'hover_marks' && datum.line.contender.name === name && datum.point.x === value);
    const [left, top] = view.origin();
    box.scrollIntoView({block: 'center'});
    const area = box.getBoundingClientRect();
    return {x: area.left + left + found.x, y: area.top + top + found.y};
  }, [contender, x]);
}

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return {name: file.suggestedFilename(), bytes: fs.readFileSync(await file.path())};
}

test('every chart has its curves, and hovering shows their values', () => withPage(WIDE, async (page) => {
  assert.equal(await page.locator('h1').textContent(), 'Results on SynNonSep, Reuters4 and Covertype');
  assert.deepEqual(await curves(page), CONTENDERS);
  await screenshot(page, 'wide', {fullPage: true});

  const line = summary.split('\n').find((text) => text.startsWith('SynNonSep,sobadiag,sobadiag,bandit,0.015625,'));
  const [seeds, error, ci, greedy] = line.split(',').slice(8, 12).map(Number);
  const place = await pointPlace(page, 0, 'sobadiag', 0.015625);
  await page.mouse.move(place.x + 2, place.y + 1);
  const tip = page.locator('figure').first().locator('.tip');
  await tip.waitFor();
  const text = await tip.textContent();
  for (const part of ['sobadiag', 'gamma 2⁻⁶', `played ${(100 * error).toFixed(2)} ± ${(100 * ci).toFixed(2)} %`,
    `greedy ${(100 * greedy).toFixed(2)}`, `${seeds} seeds`]) assert.ok(text.includes(part), `${part} in ${text}`);
  await screenshot(page, 'hover');
  await page.mouse.move(5, 5);
  await tip.waitFor({state: 'hidden'});
}));

test('the legend hides a contender, the switches change what is drawn', () => withPage(WIDE, async (page) => {
  const button = page.locator('[data-contender="banditron"]').first();
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  assert.deepEqual(await curves(page), [4, 4, 4, ...CONTENDERS.slice(3)]);
  for (const name of ['perceptron', 'auto', 'sobadiag', 'pnewtron']) await page.locator(`[data-contender="${name}"]`).first().click();
  assert.deepEqual((await curves(page)).slice(0, 3), [0, 0, 0]);
  await button.click();
  assert.deepEqual((await curves(page)).slice(0, 3), [1, 1, 1]);

  const drawing = () => page.locator('.chart').nth(3).locator('path').evaluateAll((all) => all.map((one) => one.getAttribute('d')).join());
  const played = await drawing();
  await page.getByLabel('greedy', {exact: true}).check();
  assert.equal(await page.locator('figure h3').first().textContent(), 'Greedy error against gamma');
  const greedy = await drawing();
  assert.notEqual(greedy, played);
  await page.getByLabel('linear', {exact: true}).check();
  assert.notEqual(await drawing(), greedy);
  await screenshot(page, 'linear');
}));

test('charts and data can be taken away', () => withPage(WIDE, async (page) => {
  const buttons = page.locator('figure').first().locator('.buttons button');
  const svg = await download(page, buttons.nth(0));
  assert.equal(svg.name, 'synnonsep-gamma.svg');
  const drawing = svg.bytes.toString();
  assert.ok(drawing.startsWith('<svg') && drawing.endsWith('</svg>'));
  for (const words of ['SynNonSep: played error against gamma', 'perceptron (full information)', 'sobadiag']) {
    assert.ok(drawing.includes(`>${words}</text>`), `${words} in the SVG`);
  }
  const png = await download(page, buttons.nth(1));
  assert.equal(png.name, 'synnonsep-gamma.png');
  assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
  fs.writeFileSync(path.join(ARTEFACTS, 'report-export.png'), png.bytes);
  const csv = await download(page, buttons.nth(2));
  assert.equal(csv.name, 'synnonsep-gamma.csv');
  const lines = csv.bytes.toString().trim().split('\n');
  assert.equal(lines[0], 'contender,gamma,seeds,error,error_ci95,greedy_error,greedy_error_ci95');
  assert.equal(lines.length, 1 + 5 * 12);
  const all = await download(page, page.locator('#all-csv'));
  assert.equal(all.bytes.toString(), summary);
}));

test('on a phone nothing sticks out, and a tap shows values', () => withPage(PHONE, async (page) => {
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 390);
  assert.deepEqual(await curves(page), CONTENDERS);
  await screenshot(page, 'phone', {fullPage: true});
  const place = await pointPlace(page, 0, 'sobadiag', 0.015625);
  await page.touchscreen.tap(place.x, place.y);
  const tip = page.locator('figure').first().locator('.tip');
  await tip.waitFor();
  assert.match(await tip.textContent(), /sobadiag.*gamma 2⁻⁶/);
  await screenshot(page, 'phone-tap');
  await page.locator('h3').last().tap();
  await tip.waitFor({state: 'hidden'});
}));

test('in the dark it is dark, and follows a change', () => withPage({...WIDE, colorScheme: 'dark'}, async (page) => {
  assert.equal(await background(page), 'rgb(21, 25, 29)');
  const colour = () => page.locator('.chart').first().locator('path[stroke-width="2"]').first().getAttribute('stroke');
  const dark = await colour();
  await screenshot(page, 'dark', {fullPage: true});
  const paper = await page.pdf({path: path.join(ARTEFACTS, 'report-print.pdf'), format: 'A4'});
  assert.equal(paper.subarray(0, 4).toString(), '%PDF');
  await page.emulateMedia({colorScheme: 'light'});
  assert.equal(await background(page), 'rgb(255, 255, 255)');
  assert.notEqual(await colour(), dark);
}));

test('tables have headers for rows and columns, charts a name', () => withPage(WIDE, async (page) => {
  const bare = await page.evaluate(() => [...document.querySelectorAll('th:not([scope]), [role=img]:not([aria-label]), button:empty')].length);
  assert.equal(bare, 0);
  const row = page.locator('#set-1 tbody tr', {hasText: 'sobadiag'}).first();
  assert.deepEqual((await row.locator('td').allTextContents()).slice(0, 1), ['gamma 2⁻⁵']);
  assert.ok((await row.textContent()).includes('5.94'));
  assert.ok((await page.locator('#set-2 tbody').first().textContent()).includes('never better than 57 %'));
}));

test('errors without learning are rules, and the first rounds take no room', () => withPage(WIDE, async (page) => {
  // Of Covertype, whose curves are nearest to them.
  const [rules, words] = await page.evaluate(() => {
    const {box} = charts.filter(({chart}) => chart.x.kind === 'counts').at(-1);
    return [box.querySelectorAll('.baseline_marks line').length, box.textContent];
  });
  assert.equal(rules, 2);
  assert.ok(words.includes('always the most frequent label') && words.includes('guessing'), words);
  const starts = await page.evaluate(() => charts.filter(({chart}) => chart.x.kind === 'counts')
    .map(({view}) => Math.min(...view.data('source_0').map((row) => row.x))));
  assert.ok(starts.every((x) => x >= 30), starts.join());
}));

test('of many contenders the best ten are drawn, the others on demand', () => withPage(WIDE, async (page) => {
  assert.deepEqual(await curves(page), [10, 10]);
  assert.ok((await page.locator('.more-contenders').textContent()).includes('best 10 of 13'));
  const last = page.locator('[data-contender="contender-12"]');
  assert.equal(await last.getAttribute('aria-pressed'), 'false');
  await last.click();
  assert.deepEqual(await curves(page), [11, 11]);
  await screenshot(page, 'crowd', {fullPage: true});
}, crowd));

test('ties, edges of grids and fewer seeds are marked', () => withPage(WIDE, async (page) => {
  const findings = await page.locator('.findings').textContent();
  for (const words of ['Lowest played error with bandit feedback: contender-00', 'edge of the grid',
    'contender-00 rests on 1 seed, others on 2']) assert.ok(findings.includes(words), `${words} in ${findings}`);
  const first = await page.locator('tbody tr', {hasText: 'contender-00'}).first().textContent();
  assert.ok(first.includes('edge of the grid') && first.includes('of 2'), first);
}, crowd));

test('on a phone a wide table shows that there is more of it', () => withPage(PHONE, async (page) => {
  const table = page.locator('.scroll').first();
  assert.ok(await table.evaluate((box) => box.scrollWidth > box.clientWidth && box.classList.contains('more')));
  await screenshot(page, 'phone-table', {clip: await table.boundingBox()});
  await table.evaluate((box) => { box.scrollLeft = box.scrollWidth; });
  await page.waitForFunction(() => !document.querySelector('.scroll').classList.contains('more'));
}));
