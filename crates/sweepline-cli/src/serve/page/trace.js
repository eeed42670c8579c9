// The trace as a list of any length: only the rows on the screen are there, and the server sends them.
import { $, ask, attempt, draw, grouped, make, quiet, say } from './ask.js';
import { now, play } from './main.js';
import { change } from './view.js';

const HEIGHT = 30;
// A browser cannot show an element that is higher: then each pixel stands for several rows.
const HIGHEST = 8_000_000;
const PAGE = 100;

const watched = [];
let pages = new Map();
let drawn = 0;

const rows = () => now.length + 1;
const height = () => Math.min(rows() * HEIGHT, HIGHEST);
const room = () => $('rows').clientHeight - HEIGHT;
const scale = () => (rows() * HEIGHT - room()) / Math.max(1, height() - room());

// The first row on the screen.
const first = () => {
  const top = $('rows').scrollTop * (height() < rows() * HEIGHT ? scale() : 1);
  return Math.max(0, Math.min(rows() - 1, Math.floor(top / HEIGHT)));
};

const fetched = (page) => {
  if (!pages.has(page)) {
    const from = page * PAGE;
    const request = ask({ ask: 'rows', run: now.run, from, to: from + PAGE, watch: watched });
    pages.set(page, request.then((answer) => answer.rows, (error) => { pages.delete(page); throw error; }));
    if (pages.size > 60) pages.delete(pages.keys().next().value);
  }
  return pages.get(page);
};

const row = ({ at, action, changes, values }) => {
  const isLoop = now.back !== null && now.back !== undefined && at > now.back;
  const line = make('div', {
    class: `row${at === now.at ? ' here' : ''}${at > now.at ? ' later' : ''}${isLoop ? ' loop' : ''}`, role: 'row', 'data-at': at,
    'aria-selected': String(at === now.at),
  }, make('span', { class: 'at', role: 'gridcell' }, grouped(at)), make('span', { class: 'action', role: 'gridcell', title: action }, action));
  for (const value of values) line.append(make('span', { class: 'value', role: 'gridcell' }, value));
  const cell = make('span', { class: 'changes', role: 'gridcell' });
  changes.forEach((one) => cell.append(change(one), ' '));
  cell.title = cell.textContent;
  line.append(cell);
  return line;
};

const head = () => {
  const values = watched.map((text) => make('span', { class: 'value', role: 'columnheader', title: text }, text));
  $('rows-head').replaceChildren(make('span', { class: 'at', role: 'columnheader' }, 'Step'), make('span', { class: 'action', role: 'columnheader' }, 'Action'),
    ...values, make('span', { class: 'changes', role: 'columnheader' }, 'Changes'));
};

// Shows the rows on the screen; if another call began meanwhile, that one does.
const show = async () => {
  const mine = drawn += 1;
  const from = Math.max(0, first() - 4), to = Math.min(rows(), from + Math.ceil($('rows').clientHeight / HEIGHT) + 8);
  const wanted = [];
  for (let page = Math.floor(from / PAGE); page * PAGE < to; page += 1) wanted.push(fetched(page));
  let all;
  try { all = (await Promise.all(wanted)).flat(); } catch (error) { if (mine === drawn) say(error.message); return; }
  if (mine !== drawn) return;
  const lines = all.filter(({ at }) => at >= from && at < to).map(row);
  $('rows-window').replaceChildren(...lines);
  const exact = height() === rows() * HEIGHT;
  const top = exact ? from * HEIGHT : $('rows').scrollTop - (first() - from) * HEIGHT;
  $('rows-window').style.transform = `translateY(${Math.max(0, top)}px)`;
  $('rows').dataset.shown = `${from}-${to - 1}`;
};

// Scrolls so that a row is on the screen.
const reveal = (at) => {
  const box = $('rows'), from = first(), visible = Math.floor(room() / HEIGHT);
  if (at >= from && at < from + visible) return;
  const top = Math.max(0, at - Math.floor(visible / 2)) * HEIGHT;
  box.scrollTop = height() < rows() * HEIGHT ? top / scale() : top;
};

const plot = async () => {
  $('plot').hidden = watched.length === 0;
  if (watched.length === 0) return;
  try {
    const { svg, note } = await ask({ ask: 'plot', run: now.run, watch: watched });
    draw($('plot'), svg);
    if (note) $('plot').append(make('figcaption', { class: 'soft' }, note));
  } catch (error) { say(error.message); }
};

// The run has changed: its position, or its steps, too.
export const update = (isOther) => {
  if (isOther) pages = new Map();
  if ($('simulate').hidden) return;
  $('rows-space').style.height = `${height()}px`;
  $('rows').setAttribute('aria-rowcount', rows());
  $('goto-step').max = now.length;
  head();
  reveal(now.at);
  show();
  if (watched.length) plot();
};

const chips = () => {
  $('watched').replaceChildren(...watched.map((text, at) => make('button', {
    type: 'button', title: 'Remove this expression', 'aria-label': `Remove ${text}`,
    onclick: () => { watched.splice(at, 1); changed(); },
  }, text, ' ×')));
};

const changed = () => {
  pages = new Map();
  chips();
  plot();
  update(false);
};

const add = async (text) => {
  const wanted = [...watched, text];
  const known = await attempt(() => ask({ ask: 'rows', run: now.run, from: now.at, to: now.at + 1, watch: wanted }));
  if (!known) return;
  watched.push(text);
  $('watch-text').value = '';
  quiet();
  changed();
};

export const start = () => {
  $('rows').addEventListener('scroll', show, { passive: true });
  $('rows').addEventListener('click', (event) => {
    const line = event.target.closest('[data-at]');
    if (line) play({ ask: 'go', to: Number(line.dataset.at) });
  });
  $('rows').addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (!step) return;
    event.preventDefault();
    play({ ask: 'go', to: Math.max(0, Math.min(now.length, now.at + step)) });
  });
  $('watch').addEventListener('submit', (event) => { event.preventDefault(); if ($('watch-text').value.trim()) add($('watch-text').value.trim()); });
  $('goto').addEventListener('submit', (event) => { event.preventDefault(); play({ ask: 'go', to: Number($('goto-step').value) || 0 }); });
  new ResizeObserver(show).observe($('rows'));
};
