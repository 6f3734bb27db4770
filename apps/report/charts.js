'use strict';
// What a chart shows, and its Vega-Lite specification.

// Okabe and Ito's colours, darker where they must stand out from white and lighter from black; with
// six shapes the pairs repeat only after 42 contenders.
const COLOURS = {
  light: ['#0072b2', '#d55e00', '#00855f', '#b0568a', '#a06e00', '#2a8fc9', '#4d4d4d'],
  dark: ['#4aa3e0', '#f0803c', '#1fc198', '#e39ac4', '#e6a720', '#8fd0f7', '#d0d0d0'],
};
const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross', 'triangle-down'];
const DASHES = {line: [1, 0], rule: [3, 3], yardstick: [9, 4]};
const THEMES = {
  light: {ink: '#1c2126', muted: '#5b6570', grid: '#e6e9ec', ground: '#ffffff', band: 0.16},
  dark: {ink: '#e8eaed', muted: '#9aa4ae', grid: '#2b3238', ground: '#15191d', band: 0.22},
};
const FIRST_ROUND = 30;  // where a chart against examples starts
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

const contenderNames = (report) =>
  [...new Set(report.data.flatMap((set) => set.contenders.map((contender) => contender.name)))];

// The same contender looks the same wherever it is.
function looks(report) {
  const names = contenderNames(report);
  return new Map(names.map((name, i) => [name, {
    shape: SHAPES[i % SHAPES.length],
    colour: (theme) => COLOURS[theme][i % COLOURS.light.length],
    turn: i,
  }]));
}

const lineTitle = (contender) =>
  contender.name + (contender.full_information ? ' (full information)' : '');

function linePoint(x, point) {
  return {x, played: point.played, greedy: point.greedy, seeds: point.seeds, grid: point.grid};
}

// Error against one axis of the grid. Contenders without the axis are level lines.
function axisChart(set, axis) {
  const along = new Map(axis.lines.map((line) => [line.contender, line.points]));
  const valuesOf = (i) => along.get(i).map((place) => set.contenders[i].points[place].grid[axis.name]);
  const values = [...new Set([...along.keys()].flatMap(valuesOf))].sort((a, b) =>
    (typeof a === 'string') - (typeof b === 'string') || (a < b ? -1 : 1));
  const numeric = values.every((value) => typeof value === 'number' && value > 0);
  // Exploring at the rate gamma costs that often a label drawn blindly, of which (k − 1)/k are wrong.
  const explores = axis.name === 'gamma' && numeric && values.at(-1) <= 1;
  return {
    x: {
      title: axis.name,
      kind: !numeric ? 'words' : values.every(isPowerOfTwo) ? 'powers' : 'numbers',
      values,
    },
    heading: (measure) => `${capital(measure)} error against ${axis.name}`,
    file: fileName(set.name, axis.name),
    lines: set.contenders.map((contender, i) => ({
      contender,
      dash: contender.full_information ? 'yardstick' : along.has(i) ? 'line' : 'rule',
      marked: along.has(i) ? 1 : 0,
      points: along.has(i)
        ? along.get(i).map((place) => contender.points[place]).map((point) => linePoint(point.grid[axis.name], point))
        : values.map((value) => linePoint(value, contender.points[contender.best])),
    })),
    floor: explores ? (rate) => (100 * rate * (set.classes - 1)) / set.classes : null,
    rules: baselines(set),
  };
}

// Errors without learning: level rules, where they lie within a chart.
function baselines(set) {
  const guess = {y: 100 * set.guess_error, text: 'guessing'};
  const constant = {y: 100 * set.constant_error, text: 'always the most frequent label'};
  return set.constant_error === null ? [guess] : [constant, guess];
}

// Error against the number of examples, each contender at its best.
function curveChart(set) {
  // On a log axis the first rounds, of which nothing can be said, would take half of the chart.
  const first = set.rounds >= 10 * FIRST_ROUND ? FIRST_ROUND : 1;
  return {
    x: {title: 'examples', kind: 'counts', values: [first, Math.max(2, set.rounds)]},
    heading: (measure) => `${capital(measure)} error against examples`,
    file: fileName(set.name, 'examples'),
    lines: set.contenders.map((contender) => ({
      contender,
      dash: contender.full_information ? 'yardstick' : 'line',
      marked: 4,  // every so many points
      points: contender.curve.map((point) => ({
        ...linePoint(point.round, contender.points[contender.best]), played: point.played, greedy: point.greedy,
      })),
    })),
    floor: null,
    rules: baselines(set),
  };
}

function chartCsv(chart) {
  const header = ['contender', chart.x.title, 'seeds', 'error', 'error_ci95', 'greedy_error', 'greedy_error_ci95'];
  return csvText([header, ...chart.lines.flatMap((line) =>
    line.points.map((point) => [line.contender.name, point.x, point.seeds, ...point.played, ...point.greedy]))]);
}

const chartX = (chart, x) => (chart.x.kind === 'words' ? numberText(x) : x);

// One row for each point that can be drawn. view: what is shown and how (page.js).
function chartRows(chart, view) {
  return chart.lines.filter((line) => !view.hidden.has(line.contender.name)).flatMap((line) =>
    line.points.filter((point) => chart.x.kind !== 'counts' || point.x >= chart.x.values[0]).map((point, place) => {
      const [mean, halfWidth] = point[view.measure];
      const turn = view.looks.get(line.contender.name).turn;
      return {
        contender: lineTitle(line.contender), line, point, x: chartX(chart, point.x), y: 100 * mean,
        low: 100 * (mean - (halfWidth ?? 0)), high: 100 * (mean + (halfWidth ?? 0)), band: halfWidth !== null,
        marked: line.marked > 0 && (place + turn) % line.marked === 0,
      };
    }));
}

function errorScale(rows, scale) {
  const positive = rows.filter((row) => row.y > 0);
  if (scale === 'linear' || positive.length === 0) {
    const highest = Math.max(...rows.map((row) => row.high), 0);
    return {type: 'linear', domain: [0, Math.min(100, 1.04 * highest) || 1], nice: false};
  }
  // Bands may be cut off where they would squeeze the lines.
  const least = Math.min(...positive.map((row) => row.y)), most = Math.max(...positive.map((row) => row.y));
  const low = Math.min(...positive.map((row) => Math.max(row.low, least / 1.5)));
  const high = Math.max(...positive.map((row) => Math.min(row.high, most * 1.5)));
  return {type: 'log', domain: [low / 1.06, Math.max(Math.min(high * 1.06, 100), low * 1.06)], nice: false};
}

// Round numbers on a log axis: as few digits as give enough of them.
function logTicks([low, high]) {
  const ticks = (digits) => {
    const out = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
      for (const digit of digits) out.push(Number((digit * 10 ** power).toPrecision(3)));
    }
    return out.filter((tick) => tick >= low && tick <= high);
  };
  const choices = [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5, 7], [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]];
  return choices.map(ticks).find((found) => found.length >= 4) ?? ticks([...Array(90).keys()].map((i) => 1 + i / 10));
}

function xEncoding(chart) {
  const {kind, title, values} = chart.x;
  const axis = {title, grid: false, labelOverlap: 'greedy', labelFlush: false};
  if (kind === 'words') {
    return {field: 'x', type: 'ordinal', sort: null, axis: {...axis, labelAngle: 0},
            scale: {type: 'point', padding: 0.3, domain: values.map(numberText)}};
  }
  if (kind === 'counts') {
    const powers = [...Array(16).keys()].map((i) => 10 ** i).filter((power) => power >= values[0] && power <= values[1]);
    return {field: 'x', type: 'quantitative', axis: {...axis, values: powers, format: '~s'},
            scale: {type: 'log', domain: values, nice: false}};
  }
  return {field: 'x', type: 'quantitative',
          axis: {...axis, values, labelExpr: `${kind === 'powers' ? 'powerText' : 'numberText'}(datum.value)`},
          scale: {type: 'log', base: kind === 'powers' ? 2 : 10, domain: [values[0], values.at(-1)], nice: false,
                  padding: 10}};
}

// A line through the part of the chart in which the floor lies.
function floorLayers(chart, view, x, yScale, theme) {
  if (view.measure !== 'played' || !chart.floor) return [];
  const [first, last] = [chart.x.values[0], chart.x.values.at(-1)];
  const [low, high] = yScale.domain;
  const points = [...Array(201).keys()].map((i) => first * (last / first) ** (i / 200))
    .map((rate) => ({x: rate, y: chart.floor(rate)})).filter((point) => point.y >= low && point.y <= high);
  if (points.length === 0) return [];
  const y = {field: 'y', type: 'quantitative', scale: yScale};
  const label = points[Math.floor(0.12 * points.length)];
  return [
    {data: {values: points}, name: 'floor', encoding: {x, y},
     mark: {type: 'line', stroke: theme.muted, strokeDash: [1, 4], strokeWidth: 1.5, strokeCap: 'round'}},
    {data: {values: [label]}, encoding: {x, y},
     mark: {type: 'text', text: 'floor γ(k−1)/k', align: 'right', dx: -8, fill: theme.muted, fontSize: 11}},
  ];
}

// Level rules at errors without learning, each with its words at the right end.
function ruleLayers(chart, yScale, theme) {
  const rules = chart.rules.filter(({y}) => y > yScale.domain[0] && y <= yScale.domain[1]);
  if (rules.length === 0) return [];
  const y = {field: 'y', type: 'quantitative', scale: yScale};
  return [
    {data: {values: rules}, name: 'baseline', encoding: {y},
     mark: {type: 'rule', stroke: theme.muted, strokeDash: [2, 3], strokeWidth: 1}},
    // One below its rule and one above, as they may be close; each on a ground of its own.
    ...rules.flatMap((rule, i) => [{stroke: theme.ground, strokeWidth: 4}, {fill: theme.muted}].map((look) => ({
      data: {values: [rule]}, encoding: {y, text: {field: 'text'}},
      mark: {type: 'text', align: 'right', x: 'width', dx: -2, dy: i === 0 ? 9 : -7, fontSize: 11, ...look}}))),
  ];
}

// view: {measure, scale, hidden, looks, theme, width, height, legend, title}
function chartSpec(chart, view) {
  const theme = THEMES[view.theme];
  const rows = chartRows(chart, view);
  const scale = errorScale(rows, view.scale);
  const inside = rows.filter((row) => scale.type === 'linear' || row.y > 0)
    .map((row) => ({...row, low: Math.max(row.low, scale.domain[0]), high: Math.min(row.high, scale.domain[1])}));
  const lines = chart.lines.filter((line) => !view.hidden.has(line.contender.name));
  const domain = lines.map((line) => lineTitle(line.contender));
  const range = (value) => ({domain, range: lines.map(value)});
  const look = (line) => view.looks.get(line.contender.name);
  const legend = view.legend ? {title: null, symbolSize: 90, orient: 'right', labelLimit: 260, symbolOpacity: 1, symbolStrokeWidth: 0} : null;
  const x = xEncoding(chart);
  const yTicks = scale.type === 'log' ? {values: logTicks(scale.domain)} : {tickCount: 6};
  const y = {field: 'y', type: 'quantitative', scale,
             axis: {title: `${view.measure} error, %`, ...yTicks, format: '~r', labelOverlap: true}};
  const color = {field: 'contender', type: 'nominal', scale: range((line) => look(line).colour(view.theme)), legend};
  const strokeDash = {field: 'contender', type: 'nominal', scale: range((line) => DASHES[line.dash]), legend};
  const shape = {field: 'contender', type: 'nominal', scale: range((line) => look(line).shape), legend};
  return {
    width: view.width, height: view.height, autosize: {type: 'fit', contains: 'padding'},
    padding: view.legend ? 16 : 2, background: view.legend ? theme.ground : 'transparent',
    ...(view.title ? {title: {text: view.title, anchor: 'start', offset: 12}} : {}),
    data: {values: inside},
    layer: [
      {transform: [{filter: 'datum.band'}], name: 'band', mark: {type: 'area', opacity: theme.band, clip: true},
       encoding: {x, y: {...y, field: 'low'}, y2: {field: 'high'}, color}},
      ...floorLayers(chart, view, x, scale, theme),
      {name: 'curve', mark: {type: 'line', strokeWidth: 2, strokeJoin: 'round', clip: true}, encoding: {x, y, color, strokeDash}},
      {transform: [{filter: 'datum.marked'}], name: 'mark',
       mark: {type: 'point', filled: true, size: 42, opacity: 1, clip: false}, encoding: {x, y, color, shape}},
      ...ruleLayers(chart, scale, theme),
      ...(view.legend ? [] : [{
        name: 'hover', mark: {type: 'point', filled: true, size: 130, stroke: theme.ground, strokeWidth: 1.5},
        params: [{name: 'near', select: {type: 'point', nearest: true, on: 'pointermove, pointerdown',
                                         clear: "pointerout[event.pointerType === 'mouse']"}}],
        encoding: {x, y, color, shape, opacity: {condition: {param: 'near', empty: false, value: 1}, value: 0}},
      }]),
    ],
    config: chartConfig(theme),
  };
}

function chartConfig(theme) {
  const words = {labelColor: theme.muted, titleColor: theme.ink, labelFont: FONT, titleFont: FONT};
  return {
    aria: false,  // the whole chart has one label, and its numbers are in the tables
    font: FONT,
    view: {stroke: null},
    axis: {...words, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8, gridColor: theme.grid,
           domainColor: theme.muted, tickColor: theme.muted, tickSize: 4},
    axisY: {domain: false, ticks: false, labelPadding: 6},
    legend: {labelColor: theme.ink, labelFont: FONT, labelFontSize: 12},
    title: {color: theme.ink, font: FONT, fontSize: 15, fontWeight: 600},
  };
}
