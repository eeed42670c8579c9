// News from the server: how far checks are, and whether the model's file was changed. A browser opens only six connections to
// a server, so one of its pages listens and tells the others.
import { $ } from './ask.js';
import { update, version } from './checks.js';

let latest = null;
let mine = null;

const compare = () => {
  const isOther = latest !== null && mine !== null && latest !== mine;
  $('banner').querySelector('span').textContent = 'The file of the model has changed. ';
  $('banner').hidden = !isOther;
};

// The version of the file that the run of this page was made with.
export const stampOf = (stamp) => { mine = stamp; compare(); };

const told = (text) => {
  const news = JSON.parse(text);
  if (news.stamp !== latest) { latest = news.stamp; compare(); version(latest); }
  news.checks.forEach(update);
};

const listen = (others) => {
  const source = new EventSource('news');
  source.onmessage = ({ data }) => { told(data); if (others) others.postMessage(data); };
  return source;
};

export const start = () => {
  if (!navigator.locks || !window.BroadcastChannel) { listen(null); return; }
  const channel = new BroadcastChannel('news ' + location.pathname);
  let source = null;
  channel.onmessage = ({ data }) => {
    // A page that opens now has missed everything: the one that listens begins again.
    if (data === 'all') { if (source) { source.close(); source = listen(channel); } return; }
    told(data);
  };
  channel.postMessage('all');
  // Held until this page closes; then another page listens.
  navigator.locks.request('news ' + location.pathname, () => new Promise(() => { source = listen(channel); }));
};
