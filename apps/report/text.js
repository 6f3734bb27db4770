'use strict';
// Numbers, names and small files as people read them.

const SUPERSCRIPTS = {'-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹'};

const isPowerOfTwo = (value) => value > 0 && Number.isInteger(Math.log2(value));
const wholeText = (count) => Math.round(count).toLocaleString('en');
const numberText = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(6))) : value);

// 0.015625 → 2⁻⁶, which is how such a grid was meant.
function powerText(value) {
  if (!isPowerOfTwo(value)) return numberText(value);
  return '2' + [...String(Math.log2(value))].map((digit) => SUPERSCRIPTS[digit]).join('');
}

// A mean and its confidence, both fractions → "5.94 ± 0.02", in percent.
function percentText([mean, halfWidth]) {
  const text = (100 * mean).toFixed(2);
  return halfWidth === null ? text : `${text} ± ${(100 * halfWidth).toFixed(2)}`;
}

// Powers of two from an eighth down as such, as the program's own tables have them.
const gridText = (grid) => Object.entries(grid).map(([axis, value]) =>
  `${axis} ${value <= 0.125 ? powerText(value) : numberText(value)}`).join(', ');

const plural = (count, noun) => `${wholeText(count)} ${noun}${count === 1 ? '' : 's'}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const fileName = (...parts) =>
  parts.join('-').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'data';

function csvText(rows) {
  const field = (value) => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(',') + '\n').join('');
}

// An element with attributes and children; what is null is left out.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function save(blob, name) {
  const link = element('a', {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
