'use strict';
// The page of soba evaluate: everything on it is in the JSON of the element #evaluation.

const found = JSON.parse(document.getElementById('evaluation').textContent);
const byId = (id) => document.getElementById(id);
const percent = (value) => (value === null || value === undefined ? '–' : (100 * value).toFixed(2));
const number = (value) => Number(value).toLocaleString('en', { maximumSignificantDigits: 4 });

function element(name, attributes = {}, ...children) {
  const svg = ['svg', 'line', 'path', 'circle', 'rect', 'text', 'title'].includes(name);
  const made = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function section(title, text, ...children) {
  byId('main').append(element('section', {}, element('h2', {}, title), element('p', { class: 'facts' }, text), ...children));
}

// A scale from values to places, with a few round marks.
function scale(low, high, from, to) {
  if (!(high > low)) high = low + 1e-9;
  const raw = (high - low) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const marks = [];
  for (let m = Math.ceil(low / step) * step; m <= high + step / 1e6; m += step) marks.push(m);
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), marks };
}

// Rows of a point, a thick interval and a thin one, on one axis.
function intervals(rows, format, center) {
  const values = rows.flatMap((row) => [row.point, ...(row.thick ?? []), ...(row.thin ?? [])]).concat(center ?? []);
  const left = 190, width = 760, height = 34 * rows.length + 34;
  const x = scale(Math.min(...values), Math.max(...values), left, width - 40);
  const svg = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  for (const mark of x.marks) {
    svg.append(element('line', { x1: x.at(mark), x2: x.at(mark), y1: 4, y2: height - 24 }),
               element('text', { x: x.at(mark), y: height - 6, 'text-anchor': 'middle' }, format(mark)));
  }
  if (center !== undefined) svg.append(element('line', { x1: x.at(center), x2: x.at(center), y1: 4, y2: height - 24, class: 'thin' }));
  rows.forEach((row, i) => {
    const y = 34 * i + 22;
    svg.append(element('text', { x: left - 12, y: y + 4, 'text-anchor': 'end', class: 'name' },
                       row.name.length > 26 ? row.name.slice(0, 25) + '…' : row.name));
    if (row.thick) svg.append(element('line', { x1: x.at(row.thick[0]), x2: x.at(row.thick[1]), y1: y, y2: y, class: 'bar' }));
    if (row.thin) svg.append(element('line', { x1: x.at(row.thin[0]), x2: x.at(row.thin[1]), y1: y + 7, y2: y + 7, class: 'thin' }));
    svg.append(element('circle', { cx: x.at(row.point), cy: y, r: 4.5 }, element('title', {}, row.title ?? row.name)));
  });
  return svg;
}

function courses(policy) {
  const width = 360, height = 190, left = 44, bottom = 24;
  const points = policy.course, values = points.map((point) => point[2]).slice(Math.floor(points.length / 20));
  const x = scale(0, points[points.length - 1][0], left, width - 8);
  const y = scale(Math.min(...values), Math.max(...values), height - bottom, 8);
  const svg = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  for (const mark of y.marks) {
    svg.append(element('line', { x1: left, x2: width, y1: y.at(mark), y2: y.at(mark) }),
               element('text', { x: left - 6, y: y.at(mark) + 4, 'text-anchor': 'end' }, percent(mark)));
  }
  const clamp = (value) => Math.min(height - bottom, Math.max(8, value));
  const path = points.map((point, i) => `${i ? 'L' : 'M'}${x.at(point[0]).toFixed(1)},${clamp(y.at(point[2])).toFixed(1)}`);
  svg.append(element('path', { d: path.join(''), class: 'course' }),
             element('text', { x: width - 8, y: height - 6, 'text-anchor': 'end' }, `decision ${number(points[points.length - 1][0])}`));
  return element('div', {}, element('h3', {}, policy.name), svg);
}

// Bin 0 holds weights of 0, bin 1 those below 2^-9, and so on.
function histogram(policy) {
  const width = 360, height = 170, left = 8, bottom = 24, bins = policy.weights;
  const first = Math.max(0, bins.findIndex((count) => count > 0));
  const last = bins.length - 1 - [...bins].reverse().findIndex((count) => count > 0);
  const shown = bins.slice(first, last + 1), most = Math.max(...shown.map((count) => Math.sqrt(count)));
  const step = (width - left) / shown.length;
  const name = (bin) => (bin === 0 ? '0' : `<${number(2 ** (bin - 10))}`);
  const svg = element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  shown.forEach((count, i) => {
    const size = (Math.sqrt(count) / most) * (height - bottom - 12);
    svg.append(element('rect', { x: left + i * step + 1, y: height - bottom - size, width: Math.max(1, step - 2), height: size },
                       element('title', {}, `weight ${name(first + i)}: ${number(count)}`)));
    if (shown.length < 12 || i % 3 === 0) {
      svg.append(element('text', { x: left + (i + .5) * step, y: height - 6, 'text-anchor': 'middle' }, name(first + i)));
    }
  });
  return element('div', {}, element('h3', {}, policy.name), svg);
}

function table(policies) {
  const heads = ['policy', 'IPS', 'SNIPS', 'DR', 'betting', 'delta SNIPS', 'Cressie–Read', 'minus the log’s', 'verdict'];
  const range = (low, high) => `${percent(low)} to ${percent(high)}`;
  const rows = policies.map((one) => [one.name, percent(one.ips), percent(one.snips), percent(one.dr),
    range(one.lower, one.upper), range(one.approximate_lower, one.approximate_upper), percent(one.cressie_read),
    one.name === 'log' ? '' : range(...one.difference_interval), one.refused ?? one.verdict]);
  return element('div', { class: 'scroll' }, element('table', {},
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, cell)))))));
}

const audit = found.audit, level = `${number(100 * found.confidence)} %`;
document.title = byId('title').textContent = found.title;
byId('facts').textContent = `${number(found.decisions)} decisions, ${number(found.answered)} answered, ` +
  `${percent(audit.right / found.answered)} % of these right; mean of 1/probability ` +
  `${number(audit.mean_inverse_probability)} ± ${number(audit.mean_inverse_probability_error)} for ${audit.labels} labels`;
byId('origin').textContent = `Made by soba ${found.program}`;
const refused = found.policies.filter((one) => one.refused).map((one) => `${one.name} is refused: ${one.refused}`);
const notes = found.policies.filter((one) => one.note).map((one) => `${one.name}: ${one.note}`);
for (const text of [...audit.refusals, ...audit.warnings, ...refused, ...notes]) byId('audit').append(element('li', {}, text));

const policies = found.policies.filter((one) => !one.refused);
if (policies.length) {
  section('What each would have earned', `Share of right answers in %. Thick: the ${level} betting interval, which holds at ` +
    'every number of decisions; thin: delta SNIPS, approximate; the dot is SNIPS.',
    intervals(policies.map((one) => ({ name: one.name, point: one.snips, thick: [one.lower, one.upper],
      thin: [one.approximate_lower, one.approximate_upper], title: `${one.name}: ${percent(one.snips)}` })), percent),
    table(policies));
  const others = policies.filter((one) => one.name !== 'log');
  if (others.length) {
    section('Against what was deployed', `Points above the log’s own policy on the same decisions, with ${level} betting intervals.`,
      intervals(others.map((one) => ({ name: one.name, point: one.difference, thick: one.difference_interval, title: one.verdict })), percent, 0));
  }
  section('Value over time', 'SNIPS of all decisions so far, in %.', element('div', { class: 'grid' }, ...policies.map(courses)));
  if (others.length) {
    section('Weights', 'How many decisions have which weight; heights are square roots. A few large weights mean that luck decides.',
      element('div', { class: 'grid' }, ...others.map(histogram)));
  }
}
const labels = audit.by_label.slice().sort((a, b) => b.played - a.played).slice(0, 40);
section('Calibration of the probabilities', 'For each label the mean of 1[played]/probability, which is 1 where the logged ' +
  `probabilities are true; bars are two standard errors.${audit.by_label.length > 40 ? ' The 40 labels played most.' : ''}`,
  intervals(labels.map((one) => ({ name: one.label, point: one.mean_inverse,
    thick: [one.mean_inverse - 2 * one.error, one.mean_inverse + 2 * one.error], title: `played ${number(one.played)} times` })), number, 1));
