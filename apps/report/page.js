'use strict';
// Builds the page from its report and keeps the charts up to date with the switches.

const report = JSON.parse(document.getElementById('report').textContent);
const shown = {measure: 'played', scale: 'log', printing: false};
const allLooks = report.bound ? null : looks(report);
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const charts = [];  // {chart, hidden, box, view, …}
const DRAWN = 10;  // contenders, at first
const EXPORT_SIZE = {width: 860, height: 440};
const PRINT_SIZE = {width: 680, height: 310};  // of A4 between its margins; three on a page

vega.expressionFunction('powerText', powerText);
vega.expressionFunction('numberText', numberText);

const currentTheme = () => (darkScheme.matches && !shown.printing ? 'dark' : 'light');
const currentView = (entry, more) =>
  ({measure: shown.measure, scale: shown.scale, hidden: entry.hidden, looks: allLooks, ...more});
const makeView = (spec, options) => new vega.View(vega.parse(vegaLite.compile(spec).spec), options);

function draw(entry) {
  entry.view?.finalize();
  entry.tip.hidden = true;
  const heading = entry.chart.heading(shown.measure);
  entry.title.textContent = heading;
  const visible = entry.chart.lines.filter((line) => !entry.hidden.has(line.contender.name));
  entry.box.setAttribute('aria-label',
    `Chart: ${heading}, ${entry.set.name}, ${plural(visible.length, 'contender')}. The tables below have its numbers.`);
  entry.width = entry.box.clientWidth;
  const screenSize = {width: entry.width, height: Math.round(Math.min(400, Math.max(280, 0.68 * entry.width)))};
  const size = shown.printing ? PRINT_SIZE : screenSize;
  const view = currentView(entry, {theme: currentTheme(), legend: false, ...size});
  entry.view = makeView(chartSpec(entry.chart, view), {renderer: 'svg', container: entry.box});
  for (const event of ['pointermove', 'pointerdown']) entry.view.addEventListener(event, (_, item) => hover(entry, item));
  // A finger leaves the screen at once; what it has shown stays until the next touch.
  entry.view.addEventListener('pointerout', (event) => { if (event.pointerType === 'mouse') entry.tip.hidden = true; });
  entry.view.run();
}

const drawAll = () => charts.forEach(draw);

// The point that is nearest to the pointer: Vega-Lite lays a cell of a mosaic around each.
function hover(entry, item) {
  const target = item?.datum?.datum;
  if (!target?.line) {
    entry.tip.hidden = true;
    return;
  }
  const {line, point} = target;
  const along = entry.chart.x.title;
  const fixed = line.marked === 0;
  const grid = Object.fromEntries(Object.entries(point.grid).filter(([axis]) => axis !== along || fixed));
  const counts = entry.chart.x.kind === 'counts';
  const where = fixed ? `no ${along}` : counts ? `${along} ${wholeText(point.x)}` : gridText({[along]: point.x});
  const value = (measure) => element('div', {class: measure === shown.measure ? 'main' : null},
    `${measure} ${percentText(point[measure])} %`);
  entry.tip.replaceChildren(
    element('strong', {}, lineTitle(line.contender)),
    element('div', {}, [where, gridText(grid)].filter(Boolean).join(', ')),
    value('played'), value('greedy'), element('div', {}, plural(point.seeds, 'seed')));
  entry.tip.hidden = false;
  const [left, top] = entry.view.origin();
  place(entry, left + item.datum.x, top + item.datum.y);
}

function place({tip, figure, box}, x, y) {
  const gap = 14;
  const x0 = box.offsetLeft + x, y0 = box.offsetTop + y;
  const right = x0 + gap + tip.offsetWidth <= figure.clientWidth;
  tip.style.left = `${Math.max(0, right ? x0 + gap : x0 - gap - tip.offsetWidth)}px`;
  tip.style.top = `${Math.max(0, y0 - tip.offsetHeight - 6)}px`;
}

async function exported(entry) {
  const title = `${entry.set.name}: ${entry.chart.heading(shown.measure).toLowerCase()}`;
  const view = currentView(entry, {theme: 'light', legend: true, title, ...EXPORT_SIZE});
  return makeView(chartSpec(entry.chart, view), {renderer: 'none'}).runAsync();
}

const downloads = {
  SVG: async (entry) => new Blob([await (await exported(entry)).toSVG()], {type: 'image/svg+xml'}),
  PNG: async (entry) => {
    const canvas = await (await exported(entry)).toCanvas(2);
    return new Promise((done) => canvas.toBlob(done, 'image/png'));
  },
  CSV: async (entry) => new Blob([chartCsv(entry.chart)], {type: 'text/csv'}),
};

function downloadButtons(entry) {
  return Object.entries(downloads).map(([kind, make]) => {
    const button = element('button', {type: 'button', class: 'button small',
      'aria-label': `Download ${entry.set.name} against ${entry.chart.x.title} as ${kind}`}, kind);
    button.addEventListener('click', async () => save(await make(entry), `${entry.chart.file}.${kind.toLowerCase()}`));
    return button;
  });
}

function figure(set, chart, hidden) {
  const title = element('h3');
  const box = element('div', {class: 'chart', role: 'img'});
  const tip = element('div', {class: 'tip', role: 'status', hidden: ''});
  const entry = {set, chart, hidden, title, box, tip};
  const buttons = element('div', {class: 'buttons'}, ...downloadButtons(entry));
  entry.figure = element('figure', {}, element('figcaption', {}, title, buttons), box, tip);
  charts.push(entry);
  return entry.figure;
}

function swatch(contender) {
  const look = allLooks.get(contender.name);
  const shapes = {
    'circle': 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0', 'square': 'M-3.5,-3.5h7v7h-7z', 'triangle-up': 'M0,-4.5L4.5,3.5H-4.5z',
    'diamond': 'M0,-5L5,0L0,5L-5,0z', 'cross': 'M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z', 'triangle-down': 'M0,4.5L4.5,-3.5H-4.5z',
  };
  const dash = contender.full_information ? DASHES.yardstick.join() : 'none';
  const holder = element('span', {class: 'swatch', 'aria-hidden': 'true',
    style: `--light: ${look.colour('light')}; --dark: ${look.colour('dark')}`});
  holder.innerHTML = `<svg width="34" height="12" viewBox="-17 -6 34 12"><path class="stroke" d="M-17,0H17"
    stroke-dasharray="${dash}"/><path class="fill" d="${shapes[look.shape]}"/></svg>`;
  return holder;
}

// The contenders that are not drawn at first: all but the best ten.
function unshown(set) {
  const byError = [...set.contenders].sort((a, b) => bestOf(a).played[0] - bestOf(b).played[0]);
  return new Set(byError.slice(DRAWN).map((contender) => contender.name));
}

// A button for each contender: shows or hides its lines in the charts of this data set.
function legend(set, hidden) {
  const list = element('ul', {class: 'legend', 'aria-label': `Contenders on ${set.name}: shown or hidden`});
  for (const contender of set.contenders) {
    const button = element('button',
      {type: 'button', 'aria-pressed': String(!hidden.has(contender.name)), 'data-contender': contender.name},
      swatch(contender), element('span', {class: 'name'}, contender.name),
      contender.full_information ? element('small', {}, 'full information') : null);
    button.addEventListener('click', () => {
      const hide = !hidden.delete(contender.name);
      if (hide) hidden.add(contender.name);
      button.setAttribute('aria-pressed', String(!hide));
      charts.filter((entry) => entry.set === set).forEach(draw);
    });
    list.append(element('li', {}, button));
  }
  if (hidden.size === 0) return list;
  const words = `The charts start with the best ${DRAWN} of ${set.contenders.length}; press a name to show or hide it.`;
  return element('div', {}, element('p', {class: 'facts more-contenders'}, words), list);
}

// columns: {title, cell, number}; the first one names the row.
function table(label, columns, rows, isBest = () => false) {
  const head = element('tr', {}, ...columns.map(({title, number}) =>
    element('th', {scope: 'col', class: number ? 'number' : null}, title)));
  const body = rows.map((row) => element('tr', {class: isBest(row) ? 'best' : null}, ...columns.map(({cell, number}, i) =>
    element(i === 0 ? 'th' : 'td', {scope: i === 0 ? 'row' : null, class: number ? 'number' : null}, cell(row)))));
  return element('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label},
    element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
}

const bestOf = (contender) => contender.points[contender.best];

function bestBandit(set) {
  const bandits = set.contenders.filter((contender) => !contender.full_information);
  return bandits.reduce((best, next) => (best && bestOf(best).played[0] <= bestOf(next).played[0] ? best : next), null);
}

function contenderCell(contender) {
  return contender.full_information
    ? element('span', {}, contender.name, ' ', element('small', {}, 'full information')) : contender.name;
}

const flagged = (text, flag) => element('span', {}, text, ' ', element('small', {class: 'flag'}, flag));

function bestCell(contender) {
  const text = gridText(bestOf(contender).grid) || '–';
  return contender.edge ? flagged(text, 'edge of the grid') : text;
}

function seedsCell(contender, set) {
  const text = wholeText(bestOf(contender).seeds);
  return contender.fewer_seeds ? flagged(text, `of ${wholeText(set.seeds)}`) : text;
}

function bestTable(set) {
  const columns = [
    {title: 'contender', cell: contenderCell},
    {title: 'best at', cell: bestCell},
    {title: 'played %', number: true, cell: (contender) => percentText(bestOf(contender).played)},
    {title: 'greedy %', number: true, cell: (contender) => percentText(bestOf(contender).greedy)},
    {title: 'paper %', number: true, cell: (contender) => contender.paper ?? contender.paper_statement},
    {title: 'updates', number: true, cell: (contender) => wholeText(bestOf(contender).updates)},
    {title: 'rounds/s', number: true, cell: (contender) => wholeText(bestOf(contender).speed)},
    {title: 'seeds', number: true, cell: (contender) => seedsCell(contender, set)},
  ];
  const paper = set.contenders.some((contender) => contender.paper !== null || contender.paper_statement);
  const best = bestBandit(set);
  return table(`Best parameters on ${set.name}`, columns.filter(({title}) => paper || title !== 'paper %'),
    set.contenders, (contender) => contender === best);
}

function pointTable(set) {
  const rows = set.contenders.flatMap((contender) => contender.points.map((point) => ({contender, point})));
  const columns = [
    {title: 'contender', cell: ({contender}) => contenderCell(contender)},
    {title: 'grid point', cell: ({point}) => gridText(point.grid) || '–'},
    {title: 'played %', number: true, cell: ({point}) => percentText(point.played)},
    {title: 'greedy %', number: true, cell: ({point}) => percentText(point.greedy)},
    {title: 'updates', number: true, cell: ({point}) => wholeText(point.updates)},
    {title: 'rounds/s', number: true, cell: ({point}) => wholeText(point.speed)},
    {title: 'seeds', number: true, cell: ({point}) => wholeText(point.seeds)},
  ];
  return element('details', {}, element('summary', {}, `Every grid point (${rows.length})`),
    table(`Every grid point on ${set.name}`, columns, rows, ({contender, point}) => point === bestOf(contender)));
}

// What must not be missed, in sentences; the first says who is best.
function findings(set) {
  return set.findings.length === 0 ? null
    : element('ul', {class: 'findings'}, ...set.findings.map((text) =>
      element('li', {}, text.replace(/2\^(-?\d+)/g, (_, exponent) => powerText(2 ** exponent)))));
}

function dataFacts(set) {
  const prints = set.fingerprints.length === 1 ? set.fingerprints[0] : `${set.fingerprints[0]} and ${set.fingerprints.length - 1} more`;
  const facts = [plural(set.rounds, 'round'), `${wholeText(set.classes)} classes`, plural(set.features, 'feature'),
    plural(set.runs, 'run')];
  return element('p', {class: 'facts'}, `${facts.join(' · ')} · examples `,
    element('code', {title: set.data.join('\n')}, prints));
}

function section(set, i) {
  const hidden = unshown(set);
  const [first, ...others] = set.axes.map((axis) => axisChart(set, axis));
  const figures = [first, curveChart(set), ...others].filter(Boolean).map((chart) => figure(set, chart, hidden));
  return element('section', {id: `set-${i + 1}`, 'aria-labelledby': `set-${i + 1}-name`},
    element('h2', {id: `set-${i + 1}-name`}, set.name), dataFacts(set), findings(set), legend(set, hidden),
    element('div', {class: 'figures'}, ...figures),
    element('h3', {}, 'Best parameters'), bestTable(set), pointTable(set));
}

// Every contender on every data set, where there are several.
function overview() {
  if (report.data.length < 2) return null;
  const anywhere = (name) => report.data.flatMap((set) => set.contenders).find((contender) => contender.name === name);
  const columns = [{title: 'contender', cell: (name) => contenderCell(anywhere(name))}, ...report.data.map((set, i) => ({
    title: element('a', {href: `#set-${i + 1}`}, set.name),
    number: true,
    cell: (name) => {
      const contender = set.contenders.find((one) => one.name === name);
      if (!contender) return '';
      const text = percentText(bestOf(contender).played);
      return contender === bestBandit(set) ? element('b', {}, text) : text;
    },
  }))];
  return element('section', {'aria-labelledby': 'overview'}, element('h2', {id: 'overview'}, 'At a glance'),
    element('p', {class: 'facts'}, 'Played error in percent, each contender at its best; the lowest with bandit feedback is bold.'),
    table('Played error of every contender on every data set', columns, contenderNames(report)));
}

// Tables that are wider than the screen fade out on the side where more of them is.
function cueScrolling() {
  for (const box of document.querySelectorAll('.scroll')) {
    const left = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.classList.toggle('more', left > 1);
  }
}

function build() {
  document.title = report.title;
  document.getElementById('title').textContent = report.title;
  document.getElementById('facts').textContent =
    `${plural(report.runs, 'run')} on ${plural(report.data.length, 'data set')}, by soba ${report.versions.join(', ')}`;
  document.getElementById('remarks').append(...report.remarks.map((remark) => element('li', {}, remark)));
  document.getElementById('origin').textContent =
    `Made by soba ${report.program} report from ${report.files.join(', ')}.`;
  document.getElementById('main').append(...[overview(), ...report.data.map(section)].filter(Boolean));
}

function listen() {
  for (const name of ['measure', 'scale']) {
    document.getElementById(name).addEventListener('change', (event) => {
      shown[name] = event.target.value;
      drawAll();
    });
  }
  document.getElementById('all-csv').addEventListener('click', () =>
    save(new Blob([report.csv], {type: 'text/csv'}), `${fileName(report.title)}.csv`));
  darkScheme.addEventListener('change', drawAll);
  for (const [event, printing] of [['beforeprint', true], ['afterprint', false]]) {
    addEventListener(event, () => {
      shown.printing = printing;
      drawAll();
    });
  }
  addEventListener('pointerdown', (event) => {
    for (const {box, tip} of charts) tip.hidden = tip.hidden || !box.contains(event.target);
  });
  document.addEventListener('scroll', cueScrolling, {capture: true, passive: true});
  document.addEventListener('toggle', cueScrolling, {capture: true});
  addEventListener('resize', cueScrolling);
  let waiting = 0;
  addEventListener('resize', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => charts.filter(({box, width}) => box.clientWidth !== width).forEach(draw), 100);
  });
}

if (report.bound) {
  buildBound(report.bound);
} else {
  build();
  drawAll();
  cueScrolling();
  listen();
}
