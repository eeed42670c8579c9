'use strict';
// A long trace is shown page by page. The drawing of a trace and its table point at each other: a click on a state
// shows its step, a click on a step marks its state.
for (const trace of document.querySelectorAll('.trace')) {
  const { size, actions, changes, kinds, rows, gap } = JSON.parse(trace.querySelector('script').textContent);
  const body = trace.querySelector('tbody'), bar = trace.querySelector('.pages');
  const [first, before, next, last] = bar.querySelectorAll('button');
  const shown = bar.querySelector('span'), goal = bar.querySelector('input');
  const states = [...trace.querySelectorAll('.states a')];
  const nPages = Math.ceil(rows.length / size);
  let page = 0;

  // The number of the step in a row; steps may be left out at one row.
  const step = (row) => gap ? (row > gap.row ? row + gap.steps - 1 : row) : row;
  const rowOf = (number) => {
    const after = gap ? number - gap.steps + 1 : number;
    return gap ? (gap.row > number ? number : Math.max(after, gap.row)) : number;
  };

  const tag = (name, text, kind) => '\u003c' + name + (kind ? ' class="' + kind + '"' : '') + '>' + text + '\u003c/' + name + '>';
  const change = (text) => {
    const [place, was, is, tokens] = text.split('\t');
    if (is === undefined) return place;
    if (tokens === undefined) return place + ' ' + tag('del', was, 'was') + ' \u2192 ' + tag('ins', is, 'is');
    return place + (was ? ' ' + tag('del', was) : '') + (is ? ' ' + tag('ins', is) : '');
  };
  const cells = ([action, ...changed]) => tag('td', actions[action])
    + tag('td', changed.map((number) => change(changes[number])).join('\u003cbr>'));

  const show = (wanted) => {
    page = Math.max(0, Math.min(nPages - 1, wanted));
    const from = page * size, to = Math.min(rows.length, from + size);
    body.innerHTML = rows.slice(from, to).map((kind, at) => {
      const row = from + at, isGap = gap ? row === gap.row : false;
      const number = tag('td', isGap ? '' : step(row).toLocaleString('en'), 'number');
      return '\u003ctr data-row="' + row + '">' + number + cells(kinds[kind]) + '\u003c/tr>';
    }).join('');
    shown.textContent = 'steps ' + step(from).toLocaleString('en') + ' to ' + step(to - 1).toLocaleString('en')
      + ' of ' + step(rows.length - 1).toLocaleString('en');
    first.disabled = before.disabled = page === 0;
    next.disabled = last.disabled = page === nPages - 1;
    trace.querySelector('.steps').scrollTop = 0;
  };

  const mark = (row) => {
    for (const old of trace.querySelectorAll('.here')) old.classList.remove('here');
    const line = body.querySelector('[data-row="' + row + '"]');
    if (line) line.classList.add('here');
    const state = states.filter((one) => row >= Number(one.dataset.row)).pop();
    if (state) state.classList.add('here');
    return line;
  };

  const go = (row) => {
    if (Math.floor(row / size) !== page) show(Math.floor(row / size));
    const line = mark(row), box = trace.querySelector('.steps');
    if (line) box.scrollTop = line.offsetTop - box.clientHeight / 3;
  };

  for (const state of states) {
    state.addEventListener('click', (event) => { event.preventDefault(); go(Number(state.dataset.row)); });
  }
  body.addEventListener('click', (event) => {
    const line = event.target.closest('tr');
    if (line) mark(Number(line.dataset.row));
  });
  if (nPages > 1) {
    first.addEventListener('click', () => show(0));
    before.addEventListener('click', () => show(page - 1));
    next.addEventListener('click', () => show(page + 1));
    last.addEventListener('click', () => show(nPages - 1));
    goal.addEventListener('change', () => go(Math.max(0, Math.min(rows.length - 1, rowOf(Number(goal.value) || 0)))));
    bar.hidden = false;
    show(0);
  }
}
