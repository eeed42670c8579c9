// Requests to the server, and small helpers for elements. Texts of a model are set as texts, never as HTML.

export class Refused extends Error {
  constructor(message, isGone) { super(message); this.isGone = isGone; }
}

export const ask = async (request) => {
  let response;
  try {
    response = await fetch('ask', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request),
    });
  } catch {
    throw new Refused('The server does not answer. If it has ended, start `sweepline serve` again.', false);
  }
  const text = await response.text();
  let answer;
  try { answer = JSON.parse(text); } catch { answer = { refused: text }; }
  if (!response.ok) throw new Refused(answer.refused || text, response.status === 410);
  return answer;
};

export const $ = (id) => document.getElementById(id);

// An element with attributes and children; strings become texts.
export const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'onclick') element.addEventListener('click', value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};

// Drawings come from the server, which escapes the texts in them.
export const draw = (place, svg) => { place.innerHTML = svg || ''; };

export const grouped = (n) => Number(n).toLocaleString('en');

export const say = (message) => {
  const place = $('message');
  place.querySelector('pre').textContent = message;
  place.hidden = false;
};

export const quiet = () => { $('message').hidden = true; };

// Calls `work`, and shows why the server refused it.
export const attempt = async (work) => {
  try {
    const result = await work();
    quiet();
    return result;
  } catch (error) {
    say(error.message);
    if (!(error instanceof Refused)) console.error(error);
    return undefined;
  }
};
