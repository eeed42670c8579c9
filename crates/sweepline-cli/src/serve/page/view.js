// The current state: the net or the processes, the enabled steps, and what the last step changed.
import { $, draw, grouped, make } from './ask.js';
import { play } from './main.js';

let page = 0;
let filter = '';

// A change: the place with its values before and after, or with the tokens taken and put.
export const change = ([place, was, is, isTokens]) => {
  const parts = [make('span', { class: 'place' }, place), ' '];
  if (isTokens) {
    if (was) parts.push(make('del', {}, was), ' ');
    if (is) parts.push(make('ins', {}, is));
  } else {
    parts.push(make('del', { class: 'was' }, was), ' → ', make('ins', { class: 'is' }, is));
  }
  return make('span', { class: 'change' }, ...parts);
};

const position = (now) => {
  $('position').textContent = now.at === 0 ? 'Initial state' : `After step ${grouped(now.at)} of ${grouped(now.length)}`;
  const happened = $('happened');
  happened.replaceChildren();
  if (now.at > 0) happened.append(make('code', {}, now.last), ' ');
  now.changes.forEach((one) => happened.append(change(one), ' '));
  if (now.at > 0 && now.changes.length === 0) happened.append('changes nothing');
  if (now.back !== null && now.back !== undefined && now.at === now.length) {
    happened.append(` The trace goes on from step ${grouped(now.back)}, for ever.`);
  }
};

const ended = (now) => {
  const place = $('ended');
  place.hidden = !now.ended;
  place.replaceChildren();
  if (!now.ended) return;
  const isDead = now.ended.word === 'dead';
  place.className = isDead ? 'bad' : 'good';
  place.append(make('strong', {}, isDead ? 'Deadlock: no step is enabled.' : 'Terminated.'));
  if (now.ended.nearest.length) {
    const items = now.ended.nearest.map(([transition, lacks]) => make('li', {}, make('code', {}, transition), ' needs ', make('code', {}, lacks)));
    place.append(make('p', {}, 'Nearest to being enabled:'), make('ul', {}, ...items));
  }
};

const enabled = (now) => {
  const { steps: all, more } = now.enabled;
  $('enabled-title').textContent = all.length + more === 0 ? 'Enabled steps: none' : `Enabled steps: ${grouped(all.length + more)}`;
  $('filter').hidden = all.length < 12;
  const wanted = $('filter').hidden ? '' : filter.toLowerCase();
  const items = [];
  all.forEach(([name, number], choice) => {
    if (!name.toLowerCase().includes(wanted)) return;
    const key = choice < 9 ? make('kbd', { 'aria-hidden': 'true' }, String(choice + 1)) : make('span', { class: 'nokey' });
    const button = make('button', { type: 'button', 'data-choice': choice, onclick: () => play({ ask: 'step', choice }) }, key, make('span', {}, name));
    for (const event of ['mouseenter', 'focus']) button.addEventListener(event, () => mark(number, true));
    for (const event of ['mouseleave', 'blur']) button.addEventListener(event, () => mark(number, false));
    items.push(make('li', {}, button));
  });
  $('enabled').replaceChildren(...items);
  $('more').hidden = more === 0;
  $('more').textContent = `… ${grouped(more)} more are enabled; a random step chooses among all of them`;
};

// The size of the drawing. By default it fits into its place as far as it stays readable; `Fit` makes all of it fit.
let zoom = 0;
const LEAST = 0.8;
const resize = (by) => {
  const place = $('drawing'), svg = place.querySelector('svg');
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  const whole = Math.min(1, (place.clientWidth - 2) / width, (place.clientHeight - 2) / height);
  const fit = Math.max(LEAST, whole);
  if (by === 0) zoom = whole;
  else if (by) zoom = Math.min(4, Math.max(0.2, (zoom || fit) * by));
  svg.style.width = `${Math.floor(width * (zoom || fit))}px`;
};
export const larger = () => resize(1.25);
export const smaller = () => resize(0.8);
export const fitted = () => resize(0);

export const start = () => {
  for (const [id, work] of [['zoom-in', larger], ['zoom-out', smaller], ['zoom-fit', fitted]]) $(id).addEventListener('click', work);
  new ResizeObserver(() => resize()).observe($('drawing'));
};

// Shows which transition of the drawing a step belongs to.
const mark = (number, is) => {
  if (number === null) return;
  for (const one of $('drawing').querySelectorAll(`[data-transition="${number}"]`)) one.classList.toggle('marked', is);
};

// Scrolls to an enabled transition if none is to be seen.
const reveal = (place) => {
  const box = place.getBoundingClientRect();
  const lit = [...place.querySelectorAll('[data-transition]')].map((one) => one.getBoundingClientRect());
  const isSeen = (one) => one.left >= box.left && one.right <= box.right && one.top >= box.top && one.bottom <= box.bottom;
  if (lit.length === 0 || lit.some(isSeen)) return;
  place.scrollLeft += lit[0].left + lit[0].width / 2 - box.left - box.width / 2;
  place.scrollTop += lit[0].top + lit[0].height / 2 - box.top - box.height / 2;
};

// A transition with one enabled binding is taken; of several, one is chosen.
const fire = (now, number, at) => {
  const choices = now.enabled.steps.map(([name, of], choice) => ({ name, of, choice })).filter((one) => one.of === number);
  if (choices.length === 1) { play({ ask: 'step', choice: choices[0].choice }); return; }
  if (choices.length === 0) return;
  document.querySelector('.bindings')?.remove();
  const buttons = choices.slice(0, 60).map(({ name, choice }) => make('button', {
    type: 'button', role: 'menuitem', onclick: () => { menu.remove(); play({ ask: 'step', choice }); },
  }, name));
  const menu = make('div', { class: 'bindings', role: 'menu', 'aria-label': 'Bindings' }, ...buttons);
  const box = $('drawing').getBoundingClientRect(), near = at.getBoundingClientRect();
  $('drawing').append(menu);
  menu.style.left = `${Math.max(0, Math.min(near.left - box.left + $('drawing').scrollLeft, box.width - menu.offsetWidth))}px`;
  menu.style.top = `${near.bottom - box.top + $('drawing').scrollTop + 4}px`;
  menu.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') { menu.remove(); at.focus(); }
    if (step) { const next = buttons[buttons.indexOf(document.activeElement) + step]; if (next) next.focus(); }
    if (step || event.key === 'Escape') { event.preventDefault(); event.stopPropagation(); }
  });
  buttons[0].focus();
  setTimeout(() => document.addEventListener('click', () => menu.remove(), { once: true }));
};

const drawing = (now) => {
  const { sheets } = now;
  page = Math.min(page, Math.max(0, sheets.length - 1));
  $('pages').hidden = sheets.length < 2;
  $('pages').replaceChildren(...sheets.map((sheet, number) => make('button', {
    type: 'button', class: sheet.enabled ? 'lit' : '', 'aria-pressed': String(number === page),
    title: sheet.enabled ? 'has enabled transitions' : 'no transition is enabled',
    onclick: () => { page = number; drawing(now); },
  }, sheet.title)));
  const place = $('drawing');
  place.hidden = sheets.length === 0;
  const { scrollLeft, scrollTop } = place;
  draw(place, sheets.length ? sheets[page].svg : '');
  resize();
  Object.assign(place, { scrollLeft, scrollTop });
  reveal(place);
  for (const one of place.querySelectorAll('[data-transition], [data-page]')) {
    const take = () => {
      if (one.dataset.page === undefined) fire(now, Number(one.dataset.transition), one);
      else { page = Number(one.dataset.page); drawing(now); }
    };
    one.addEventListener('click', (event) => { event.stopPropagation(); take(); });
    one.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); take(); } });
  }
};

// Processes, and nets that are too large to draw, as a list.
const parts = (now) => {
  const place = $('parts');
  place.hidden = now.sheets.length > 0;
  if (place.hidden) return;
  const cards = now.state.parts.map(([name, text, isChanged]) => make('div', { class: isChanged ? 'part changed' : 'part' },
    make('dt', {}, name), make('dd', {}, text)));
  const note = now.state.more ? make('p', { class: 'soft' }, `… and ${grouped(now.state.more)} more`) : null;
  place.replaceChildren(make('dl', {}, ...cards), ...(note ? [note] : []));
  if (cards.length === 0) place.append(make('p', { class: 'soft' }, 'nothing marked'));
};

export const show = (now) => {
  position(now);
  ended(now);
  enabled(now);
  drawing(now);
  parts(now);
  $('back').disabled = $('restart').disabled = now.at === 0;
  $('forward').disabled = $('last').disabled = now.at === now.length;
  $('random').disabled = $('random-many').disabled = Boolean(now.ended);
  $('filter').oninput = (event) => { filter = event.target.value; enabled(now); };
};
