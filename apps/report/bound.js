'use strict';
// The page of soba bound: what was proved of a run, over time and term by term.

const FAMILY = [0, 0.25, 0.5, 0.75, 1];
const GUIDES = [[7, 4], [2, 4], [1, 7]];
const etaLoss = (eta, m) => (m >= 1 ? 0 : 1 - (2 / (2 - eta)) * m + (eta / (2 - eta)) * m * m);
const countText = (value) => (Math.abs(value) < 1e12 ? wholeText(value) : value.toPrecision(3));

// Rows {x, y, line} of the lines over time, with two guides through the last mistakes.
function timeRows(bound) {
  const last = bound.curve.at(-1);
  const lines = [
    ['bound', (point) => point.bound], ['competitor’s loss', (point) => point.competitor],
    ['mistakes', (point) => point.mistakes], ['greedy mistakes', (point) => point.greedy],
    ['T^(2/3)', (point) => last.mistakes * (point.round / last.round) ** (2 / 3)],
    ['√T', (point) => last.mistakes * Math.sqrt(point.round / last.round)],
    ['T', (point) => point.round],
  ];
  return lines.flatMap(([line, value]) => bound.curve.map((point) => ({x: point.round, y: value(point) ?? 0, line})))
    .filter((row) => row.y >= 1);
}

function familyRows() {
  const points = [...Array(121).keys()].map((i) => -1 + i / 40);
  const lines = FAMILY.map((eta) => [`η = ${eta}${eta === 0 ? ' (hinge)' : eta === 1 ? ' (squared hinge)' : ''}`,
    (m) => etaLoss(eta, m)]);
  return [...lines, ['mistake', (m) => (m < 0 ? 1 : 0)]]
    .flatMap(([line, value]) => points.map((m) => ({x: m, y: value(m), line})));
}

// chart: {title, file, rows, x, y, log, guides}
function linesSpec(chart, theme, size) {
  const {ink, muted, ground} = THEMES[theme];
  const names = [...new Set(chart.rows.map((row) => row.line))];
  const guide = (name) => chart.guides.includes(name);
  const range = names.map((name, i) => (guide(name) ? muted : COLOURS[theme][i % COLOURS[theme].length]));
  const powers = chart.log ? {values: [...Array(19).keys()].map((i) => 10 ** i)} : {};
  const axis = (title) => ({title, grid: !chart.log, format: chart.log ? '~s' : '~r', labelOverlap: 'greedy', ...powers});
  const scale = chart.log ? {type: 'log', nice: false} : {zero: false, nice: false};
  const legend = {title: null, orient: 'right', symbolType: 'stroke', symbolSize: 220, labelLimit: 260, labelColor: ink};
  return {
    ...size, autosize: {type: 'fit', contains: 'padding'}, padding: 8, background: ground,
    data: {values: chart.rows},
    mark: {type: 'line', strokeWidth: 2, clip: true},
    encoding: {
      x: {field: 'x', type: 'quantitative', scale, axis: axis(chart.x)},
      y: {field: 'y', type: 'quantitative', scale, axis: axis(chart.y)},
      color: {field: 'line', type: 'nominal', scale: {domain: names, range}, legend},
      strokeDash: {field: 'line', type: 'nominal', legend,
                   scale: {domain: names, range: names.map((name) => (guide(name) ? GUIDES[chart.guides.indexOf(name)] : [1, 0]))}},
    },
    config: chartConfig(THEMES[theme]),
  };
}

function linesFigure(chart) {
  const box = element('div', {class: 'chart', role: 'img', 'aria-label': `Chart: ${chart.title}. The tables have its numbers.`});
  const button = element('button', {type: 'button', class: 'button small', 'aria-label': `Download ${chart.title} as SVG`}, 'SVG');
  const view = (theme, size, options) =>
    new vega.View(vega.parse(vegaLite.compile(linesSpec(chart, theme, size)).spec), options);
  button.addEventListener('click', async () => save(
    new Blob([await view('light', EXPORT_SIZE, {renderer: 'none'}).toSVG()], {type: 'image/svg+xml'}), `${chart.file}.svg`));
  const figure = element('figure', {}, element('figcaption', {}, element('h3', {}, chart.title),
    element('div', {class: 'buttons'}, button)), box);
  const drawn = () => view(currentTheme(), {width: box.clientWidth, height: 380}, {renderer: 'svg', container: box}).run();
  return {figure, drawn};
}

const outcome = (bound, runs) => (!bound.certified ? 'order only' : bound.vacuous ? 'vacuous'
  : !bound.holds ? 'exceeded' : bound.every_run || runs > 1 ? 'holds' : 'observed');

function boundTables(bound) {
  const terms = ['competitor_loss', 'regulariser', 'quadratic', 'exploration', 'bound'];
  const bounds = table('Bounds', [
    {title: 'bound', cell: (row) => row.theorem}, {title: 'what it is', cell: (row) => row.about},
    {title: 'η', number: true, cell: (row) => numberText(Number(row.eta.toPrecision(3)))},
    ...terms.map((term) => ({title: term.replace('_', ' '), number: true, cell: (row) => countText(row[term])})),
    {title: '', cell: (row) => outcome(row, bound.runs)},
  ], bound.bounds, (row) => row.theorem === bound.tightest);
  const competitors = table('Competitors', [
    {title: 'fitted to', cell: (row) => row.loss}, {title: 'η', number: true, cell: (row) => numberText(row.eta)},
    {title: 'norm', number: true, cell: (row) => numberText(Number(row.norm.toPrecision(3)))},
    ...['value', 'hinge', 'squared_hinge', 'zero_one', 'regret'].map((name) =>
      ({title: name.replace('_', ' '), number: true, cell: (row) => countText(row[name])})),
    {title: 'gap', number: true, cell: (row) => row.gap.toPrecision(1)},
  ], bound.competitors);
  return [element('h3', {}, 'Bounds on mistakes'), bounds, element('h3', {}, 'Competitors'), competitors];
}

function buildBound(bound) {
  document.title = report.title;
  document.getElementById('title').textContent = report.title;
  document.getElementById('facts').textContent = [plural(bound.rounds, 'round'), `${bound.classes} classes`,
    plural(bound.features, 'feature'), plural(bound.runs, 'run')].join(' · ');
  document.querySelector('.lead').textContent = bound.verdict;
  document.getElementById('all-csv').parentElement.remove();
  document.querySelector('.toolbar').remove();
  document.getElementById('remarks').append(...bound.remarks.map((remark) => element('li', {}, remark)));
  document.getElementById('origin').textContent = `Made by soba ${report.program} bound.`;
  const name = fileName(bound.learner, bound.data.replace(/[:,].*/, '').replace(/.*\//, ''));
  const figures = [
    {title: 'Mistakes, competitor and bound over time', file: `bound-${name}`, rows: timeRows(bound), x: 'rounds', y: 'count',
     log: true, guides: ['T^(2/3)', '√T', 'T']},
    {title: 'The losses ℓη and a mistake', file: 'losses', rows: familyRows(), x: 'margin', y: 'loss', log: false,
     guides: ['mistake']},
  ].map(linesFigure);
  document.getElementById('main').append(
    element('section', {}, element('div', {class: 'figures'}, ...figures.map(({figure}) => figure)), ...boundTables(bound)));
  for (const {drawn} of figures) drawn();
}
