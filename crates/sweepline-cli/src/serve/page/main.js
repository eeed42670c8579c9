// The run of this page, its views and its keys.
import { $, ask, attempt, quiet, Refused, say } from './ask.js';
import * as model from './view.js';
import * as trace from './trace.js';
import * as checks from './checks.js';
import * as graph from './graph.js';
import * as news from './news.js';

// What the server last said about the run.
export const now = { run: null, settings: { param: [], init: [], process: null }, at: 0, length: 0 };

// The address has the parameters and the steps, so that a reloaded or copied page shows the same state.
const link = () => {
  const { param, init, process } = now.settings;
  const parts = new URLSearchParams();
  param.forEach((text) => parts.append('param', text));
  init.forEach((text) => parts.append('init', text));
  if (process) parts.set('process', process);
  if (now.link) parts.set('steps', now.link);
  if (now.link && now.at !== now.length) parts.set('at', now.at);
  const text = parts.toString();
  if (location.hash.slice(1) !== text) history.replaceState(null, '', text ? '#' + text : location.pathname);
};

const fromLink = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  const settings = { param: parts.getAll('param'), init: parts.getAll('init'), process: parts.get('process') };
  const steps = parts.get('steps');
  const choices = steps ? steps.split('.').map(Number).filter(Number.isInteger) : [];
  const at = parts.has('at') ? Number(parts.get('at')) || 0 : null;
  return { settings, choices, at, isGiven: location.hash.length > 1 };
};

// Shows what the server answers about the run.
export const shown = (answer) => {
  if (!answer) return;
  const isOther = answer.run !== now.run;
  const wasLength = now.length;
  Object.assign(now, answer);
  if (answer.about) $('about').textContent = answer.about.words;
  if (answer.about) checks.about(answer.about);
  model.show(now);
  trace.update(isOther || wasLength !== now.length);
  link();
  for (const [view, of] of [['graph', graph.update], ['sequence', graph.sequence]]) if (!$(view).hidden) of();
  news.stampOf(now.stamp);
  if (answer.note) say(answer.note);
};

// A request about the run. If the server dropped the run, it begins again with the same steps.
export const play = async (request) => attempt(async () => {
  try {
    shown(await ask({ run: now.run, ...request }));
  } catch (error) {
    if (!(error instanceof Refused) || !error.isGone) throw error;
    await begin(fromLink());
    shown(await ask({ ...request, run: now.run }));
  }
});

const begin = async ({ settings, choices, at }) => {
  try {
    shown(await ask({ ask: 'open', settings, choices, at }));
  } catch (error) {
    // The model has changed, or the address was cut: begin at the start, and say so.
    shown(await ask({ ask: 'open', settings, choices: [], at: null }));
    say(error.message);
  }
};

export const openWith = async (settings) => attempt(async () => {
  shown(await ask({ ask: 'open', settings, choices: [], at: null }));
});

// A counterexample, at one of its steps.
export const openTrace = async (check, property, at) => {
  const done = await attempt(async () => {
    shown(await ask({ ask: 'show', check, property, at }));
    return true;
  });
  if (done) view('simulate');
};

let isRunning = false;
const until = async (condition) => {
  if (isRunning) { isRunning = false; return; }
  isRunning = true;
  $('until-run').textContent = 'Stop';
  let found = 'more';
  while (isRunning && found === 'more') {
    const answer = await attempt(() => ask({ ask: 'until', run: now.run, condition }));
    if (!answer) break;
    shown(answer);
    found = answer.until;
  }
  if (found === 'dead') say('The run ended in a state without enabled steps; the condition never held. Go back, or restart.');
  isRunning = false;
  $('until-run').textContent = 'Run';
};

const views = ['simulate', 'check', 'graph', 'sequence'];
export const view = (name) => {
  for (const one of views) {
    const is = one === name;
    $(one).hidden = !is;
    $('tab-' + one).setAttribute('aria-selected', is);
    $('tab-' + one).tabIndex = is ? 0 : -1;
  }
  if (name === 'graph') graph.update();
  if (name === 'sequence') graph.sequence();
  if (name === 'simulate') trace.update(false);
};

const save = async () => attempt(async () => {
  const { text } = await ask({ ask: 'save', run: now.run });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = 'trace.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

const load = async (file) => attempt(async () => {
  shown(await ask({ ask: 'load', settings: now.settings, text: await file.text() }));
});

const lines = (id) => $(id).value.split('\n').map((line) => line.trim()).filter((line) => line);

const settingsChosen = () => {
  if ($('settings').returnValue !== 'apply') return;
  openWith({ param: lines('param'), init: lines('init'), process: $('process').value.trim() || null });
};

const settingsShown = () => {
  $('param').value = now.settings.param.join('\n');
  $('init').value = now.settings.init.join('\n');
  $('process').value = now.settings.process || '';
  $('settings').returnValue = '';
  $('settings').showModal();
};

const back = () => play({ ask: 'go', to: Math.max(0, now.at - 1) });
const forward = () => play({ ask: 'go', to: now.at + 1 });
const restart = () => play({ ask: 'go', to: 0 });
const last = () => play({ ask: 'go', to: now.length });
const random = (steps) => play({ ask: 'random', steps });
const focus = (id) => { view('simulate'); $(id).focus(); $(id).select(); };

const keys = {
  ArrowLeft: back, ArrowRight: forward, Home: restart, End: last,
  r: () => random(1), R: () => random(20), u: () => focus('until-text'), g: () => focus('goto-step'),
  w: () => focus('watch-text'), s: save, c: () => view('check'), '+': model.larger, '-': model.smaller, 0: model.fitted, '?': () => $('help').showModal(),
};

const key = (event) => {
  if (event.ctrlKey || event.metaKey || document.querySelector('dialog[open]')) return;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  if (event.altKey) {
    if (digit && views[digit[1] - 1]) { event.preventDefault(); view(views[digit[1] - 1]); }
    return;
  }
  const at = event.target;
  const isText = at.matches('input, textarea, select');
  if (isText) { if (event.key === 'Escape') at.blur(); return; }
  if (at.closest('[role=tablist]') && event.key.startsWith('Arrow')) return;
  if (at.id === 'rows' && (event.key === 'Home' || event.key === 'End')) event.preventDefault();
  if (digit && !$('simulate').hidden && !event.shiftKey) {
    const choice = Number(digit[1]) - 1;
    if (choice < now.enabled.steps.length) play({ ask: 'step', choice });
    return;
  }
  const action = keys[event.key];
  if (action) { event.preventDefault(); action(); }
};

// Arrow keys move between the tabs.
const tabKey = (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const at = views.indexOf(event.target.id.replace('tab-', ''));
  const next = views[(at + step + views.length) % views.length];
  view(next);
  $('tab-' + next).focus();
};

const start = async () => {
  for (const one of views) $('tab-' + one).addEventListener('click', () => view(one));
  $('tabs').addEventListener('keydown', tabKey);
  document.addEventListener('keydown', key);
  const click = { restart, back, forward, last, save, random: () => random(1), 'random-many': () => random(20) };
  for (const [id, work] of Object.entries(click)) $(id).addEventListener('click', work);
  $('until').addEventListener('submit', (event) => { event.preventDefault(); until($('until-text').value); });
  $('load').addEventListener('change', (event) => {
    const [file] = event.target.files;
    if (file) load(file);
    event.target.value = '';
  });
  $('settings-open').addEventListener('click', settingsShown);
  $('settings').addEventListener('close', settingsChosen);
  $('help-open').addEventListener('click', () => $('help').showModal());
  $('message-close').addEventListener('click', quiet);
  $('banner-close').addEventListener('click', () => { $('banner').hidden = true; });
  $('reload').addEventListener('click', async () => {
    await attempt(async () => { shown(await ask({ ask: 'reload', run: now.run, settings: now.settings })); });
  });
  window.addEventListener('hashchange', () => attempt(() => begin(fromLink())));
  model.start();
  trace.start();
  checks.start();
  graph.start();
  const linked = fromLink();
  if (!linked.isGiven) linked.settings = { param: lines('param'), init: lines('init'), process: $('process').value || null };
  await attempt(() => begin(linked));
  news.start();
  document.documentElement.dataset.ready = 'yes';
};

start();
