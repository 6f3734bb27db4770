// Makes the C++ file that holds the page of soba report: page.html with the style sheet, the scripts
// and the chart library inlined, so that the page needs nothing but itself.
//
//     node embed.mjs NODE_MODULES OUTPUT_CPP

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, output] = process.argv.slice(2);
const folder = path.dirname(fileURLToPath(import.meta.url));
const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8').replaceAll('\r\n', '\n');

// A script may hold neither the end of its element nor the start of a comment.
const script = (text) =>
  text.replace(/^\/\/# sourceMappingURL=.*$/gm, '').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

// The chart library's bundle holds code of the packages that it depends on: each licence once.
function licences() {
  const holders = new Map();
  for (const name of packages(modules)) {
    const file = fs.readdirSync(path.join(modules, name)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) continue;
    const text = read(modules, name, file).trim();
    holders.set(text, [...(holders.get(text) ?? []), name]);
  }
  return [...holders].map(([text, names]) => `${names.join(', ')}\n\n${text}`).join('\n\n\n');
}

function packages(root) {
  return fs.readdirSync(root).sort().flatMap((name) => {
    if (name.startsWith('.')) return [];
    if (!name.startsWith('@')) return [name];
    return fs.readdirSync(path.join(root, name)).sort().map((inner) => `${name}/${inner}`);
  });
}

const parts = {
  '@STYLE@': read(folder, 'page.css'),
  '@LICENCES@': escaped(licences()),
  '@LIBRARY@': script(read(modules, 'vega/build/vega.min.js') + '\n' +
                      read(modules, 'vega-lite/build/vega-lite.min.js')),
  '@SCRIPT@': script(['text.js', 'charts.js', 'bound.js', 'page.js'].map((name) => read(folder, name)).join('\n')),
};

let page = read(folder, 'page.html');
for (const [place, text] of Object.entries(parts)) {
  if (page.split(place).length !== 2) throw new Error(`page.html must have ${place} once`);
  page = page.replace(place, () => text);
}
if (page.split('@REPORT@').length !== 2) throw new Error('@REPORT@ must be in the page once');

function literal(text) {
  const end = ')soba"';
  if (text.includes(end) || text.includes('\r')) throw new Error('text does not fit a raw literal');
  return `R"soba(${text}${end}`;
}

fs.writeFileSync(output, `// Made by apps/report/embed.mjs.
#include "lab/page_template.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace soba::lab {

const std::string_view kPageTemplate = ${literal(page)};

}  // namespace soba::lab
`);
