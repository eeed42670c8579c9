// The states around the current one, and sequence charts.
import { $, ask, attempt, draw } from './ask.js';
import { now, play } from './main.js';
import { begun } from './checks.js';

let chosen = null;
let hidden = [];
let from = null;

const choose = (number) => {
  chosen = number;
  for (const one of $('graph-drawing').querySelectorAll('[data-state]')) {
    one.classList.toggle('chosen', Number(one.dataset.state) === number);
  }
  $('graph-expand').disabled = number === null || !hidden[number];
  $('graph-way').disabled = number === null;
  $('graph-chosen').textContent = number === null ? 'Choose a state in the graph.'
    : `State ${number}: ${hidden[number] ? `${hidden[number]} successors are not drawn` : 'all of its successors are drawn'}`;
};

const show = async (expand) => attempt(async () => {
  const answer = await ask({ ask: 'around', run: now.run, expand, merge: $('graph-merge-text').value.trim() || null });
  hidden = answer.hidden;
  draw($('graph-drawing'), answer.svg);
  $('graph-notes').textContent = answer.notes.join(' · ');
  for (const one of $('graph-drawing').querySelectorAll('[data-state]')) {
    const number = Number(one.dataset.state);
    if (hidden[number]) one.classList.add('incomplete');
    one.addEventListener('click', () => choose(number));
    one.addEventListener('dblclick', () => { if (hidden[number]) show(number); });
    one.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(number); } });
  }
  choose(expand !== null && expand !== undefined ? expand : answer.here);
});

export const update = () => show(null);

export const sequence = () => attempt(async () => {
  if (from === null || from > now.length) from = Math.max(0, Math.min(now.at - 20, now.length - 1));
  const answer = await ask({ ask: 'sequence', run: now.run, from });
  draw($('sequence-drawing'), answer.svg);
  $('sequence-notes').textContent = answer.length === 0 ? 'Take some steps first: the chart shows the steps of the trace.' : answer.notes.join(' · ');
  $('sequence-before').disabled = answer.from === 0;
  $('sequence-after').disabled = answer.to >= answer.length;
  for (const one of $('sequence-drawing').querySelectorAll('[data-step]')) {
    const take = () => play({ ask: 'go', to: Number(one.dataset.step) });
    one.addEventListener('click', take);
    one.addEventListener('keydown', (event) => { if (event.key === 'Enter') take(); });
  }
});

export const start = () => {
  $('graph-expand').addEventListener('click', () => { if (chosen !== null) show(chosen); });
  $('graph-way').addEventListener('click', async () => {
    const answer = await attempt(() => ask({ ask: 'way', run: now.run, state: chosen }));
    if (answer) begun();
  });
  $('graph-merge').addEventListener('submit', (event) => { event.preventDefault(); update(); });
  $('sequence-before').addEventListener('click', () => { from = Math.max(0, from - 60); sequence(); });
  $('sequence-after').addEventListener('click', () => { from += 60; sequence(); });
};
