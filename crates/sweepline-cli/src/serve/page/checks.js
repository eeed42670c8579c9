// Checks: what is asked, how far the server is, and what it found.
import { $, ask, attempt, draw, grouped, make } from './ask.js';
import { now, openTrace, view } from './main.js';

const cards = new Map();
let declaredFor = '';

const option = (select) => select.selectedOptions[0];

const typedRow = () => {
  const line = $('typed-row').content.cloneNode(true).firstElementChild;
  const select = line.querySelector('select'), input = line.querySelector('input');
  const fit = () => {
    const { text } = option(select).dataset;
    input.hidden = !text;
    input.placeholder = text;
    if (text === 'transition') input.setAttribute('list', 'transitions'); else input.removeAttribute('list');
  };
  select.addEventListener('change', fit);
  line.querySelector('.remove').addEventListener('click', () => line.remove());
  fit();
  $('typed').append(line);
  return line;
};

// What the model declares.
export const about = ({ name, properties, assertions, measures, transitions }) => {
  const key = JSON.stringify([name, properties, assertions, measures]);
  if (key === declaredFor) return;
  declaredFor = key;
  const place = $('declared');
  place.hidden = properties.length === 0;
  const boxes = properties.map((property) => make('label', {}, make('input', { type: 'checkbox', value: property.name, checked: true }), ' ',
    make('strong', {}, property.name), ` ${property.kind} `, make('code', {}, property.text)));
  place.replaceChildren(make('legend', {}, 'Declared in the model'), ...boxes);
  $('assertions').hidden = assertions.length === 0;
  const asserted = assertions.map((text, at) => make('label', {}, make('input', { type: 'checkbox', value: at + 1, checked: true }), ' ', make('code', {}, text)));
  $('assertions').replaceChildren(make('legend', {}, 'Assertions of the script, whatever process is open'), ...asserted);
  $('measures').replaceChildren(...['none', 'auto', ...measures].map((value) => make('option', { value })));
  $('transitions').replaceChildren(...transitions.map((value) => make('option', { value })));
  if (properties.length || assertions.length) { $('typed').replaceChildren(); return; }
  if (!$('typed').firstElementChild) typedRow();
};

const chosen = (id, kind) => [...$(id).querySelectorAll('input:checked')].map((box) => ({ kind, text: box.value }));

const check = async () => {
  const properties = chosen('declared', 'property'), asserted = chosen('assertions', 'assertion');
  for (const line of $('typed').children) {
    const select = line.querySelector('select'), text = line.querySelector('input').value;
    properties.push({ kind: select.value, text: option(select).dataset.text ? text : '' });
  }
  const begin = (asked) => attempt(() => ask({ ask: 'check', settings: now.settings, properties: asked, progress: $('progress').value }));
  // Assertions name their processes; the other properties are about the one that is open.
  if (asserted.length) await begin(asserted);
  if (properties.length || !asserted.length) await begin(properties);
};

const figure = (name, value) => make('div', { class: 'tile' }, make('b', {}, value), make('span', {}, name));

const seconds = (n) => n < 0.95 ? `${(1000 * n).toFixed(0)} ms` : n < 10 ? `${n.toFixed(1)} s` : n < 100 ? `${n.toFixed(0)} s` : `${(n / 60).toFixed(1)} min`;

const tiles = (job) => {
  const part = 100 * job.peak / Math.max(1, job.explored);
  const share = part < 0.1 ? 'under 0.1% of explored' : part < 100 ? `${part.toFixed(1)}% of explored` : '';
  const all = [
    figure('explored', grouped(job.explored)), figure('stored', grouped(job.stored)),
    figure(share ? `peak stored, ${share}` : 'peak stored', grouped(job.peak)), figure('time', seconds(job.seconds)),
  ];
  if (job.sweeping) all.push(figure(job.sweeps === 1 ? 'layers, 1 sweep' : `layers, ${job.sweeps} sweeps`, grouped(job.layers)));
  if (job.running && job.progress) all.push(figure('line at', job.progress.replace(/\d+/g, grouped)));
  if (job.running && job.estimate) { all.push(figure('predicted', job.estimate[0])); all.push(figure('predicted time left', job.estimate[1])); }
  return make('div', { class: 'tiles' }, ...all);
};

const verdict = (job, row, property) => {
  const item = make('li', {}, make('span', { class: `badge ${row.verdict}` }, row.verdict), ' ', row.claim, ' ', row.of ? make('code', {}, row.of) : null,
    row.value ? ` ${row.value}` : null, row.reason ? make('span', { class: 'soft' }, ` (${row.reason})`) : null,
    row.decided_by ? make('span', { class: 'soft' }, ` (by ${row.decided_by})`) : null);
  if (row.length !== null) {
    const what = row.verdict === 'violated' ? 'counterexample' : 'witness';
    const step = make('input', { type: 'number', min: 0, max: row.length, value: row.length, 'aria-label': `Step of the ${what}` });
    const open = make('form', { class: 'inline open' }, make('button', { type: 'submit' }, `Open the ${what}`), ' at step ', step, ` of ${grouped(row.length)}`);
    open.addEventListener('submit', (event) => { event.preventDefault(); openTrace(job.number, property, Number(step.value) || 0); });
    item.append(open);
  }
  if (row.findings.length) item.append(make('ul', { class: 'findings' }, ...row.findings.slice(0, 100).map((text) => make('li', {}, text))));
  return item;
};

const found = (job) => {
  if (job.failed) return [make('pre', { class: 'failed' }, job.failed)];
  if (!job.results) return [];
  const { rows, notes, stop, states, progress } = job.results;
  const lines = [];
  if (stop) lines.push(make('p', { class: 'unsure' }, `Incomplete: ${stop}`));
  if (rows.length) lines.push(make('ul', { class: 'verdicts' }, ...rows.map((row, property) => verdict(job, row, property))));
  else if (states !== null) lines.push(make('p', {}, `${grouped(states)} states`));
  lines.push(make('p', { class: 'soft' }, `progress measure: ${progress}`));
  notes.forEach((note) => lines.push(make('p', { class: 'soft' }, `note: ${note}`)));
  return lines;
};

const card = (job) => {
  let place = cards.get(job.number);
  if (!place) {
    const stop = make('button', { type: 'button', onclick: () => attempt(() => ask({ ask: 'stop', check: job.number })) }, 'Stop');
    place = {
      stop, title: make('h3', {}), words: make('p', { class: 'soft' }),
      settings: make('p', { class: 'soft' }), old: make('p', { class: 'unsure' }, 'The file of the model has changed since this check began.'), tiles: make('div'), chart: make('figure', {}), found: make('div', {}),
    };
    place.card = make('article', { class: 'job', 'data-check': job.number }, make('div', { class: 'bar' }, place.title, stop), place.settings, place.old, place.words, place.found, place.tiles, place.chart);
    cards.set(job.number, place);
    $('jobs').prepend(place.card);
  }
  return place;
};

// Checks of earlier versions of the model's file say so.
let latest = null;
export const version = (stamp) => {
  latest = stamp;
  for (const { card: one, old } of cards.values()) old.hidden = one.dataset.stamp === stamp;
};

// A check has news.
export const update = (job) => {
  const place = card(job);
  place.card.dataset.stamp = job.stamp;
  place.old.hidden = latest === null || latest === job.stamp;
  place.settings.textContent = job.settings;
  place.settings.hidden = !job.settings;
  place.title.textContent = job.title;
  place.stop.hidden = !job.running;
  place.card.classList.toggle('running', job.running);
  place.card.setAttribute('aria-busy', String(job.running));
  place.words.textContent = job.running ? `${job.phase} …` : '';
  place.words.hidden = !job.running;
  place.tiles.replaceChildren(tiles(job));
  if (job.chart) draw(place.chart, job.chart);
  place.chart.hidden = !job.chart;
  place.found.replaceChildren(...found(job));
};

export const start = () => {
  $('add-property').addEventListener('click', () => typedRow().querySelector('select').focus());
  $('check-form').addEventListener('submit', (event) => { event.preventDefault(); check(); });
};

// Shows that a check began elsewhere on the page.
export const begun = () => view('check');
