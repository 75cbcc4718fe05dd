// Runs the front page: reads the post of a pasted link and shows it in three formats.
import { find, requirePart, setText } from '../../page/dom.ts';
import { ApiError } from '../../page/problem.ts';
import { readEmbed, readPost } from './api.ts';
import { startCopying } from './copy.ts';
import { clearProblem, showProblem } from './problem.ts';
import { showEmbed, showPost } from './result.ts';

const form = find('form', HTMLFormElement);
const input = find('#url', HTMLInputElement);
const example = find('[data-part="example"]', HTMLAnchorElement);
const result = requirePart('result');

/** Belongs to the latest link: answers to earlier links are not shown any more. */
let latest = new AbortController();

const setBusy = (isBusy: boolean): void => {
  form.toggleAttribute('data-busy', isBusy);
  result.setAttribute('aria-busy', String(isBusy));
};

const NO_EMBED = '<p>The rendered post could not be read. Try again in a minute.</p>';

const embedOf = (url: string, signal: AbortSignal): Promise<string> =>
  readEmbed(url, signal).then(
    ({ html }) => html,
    () => NO_EMBED,
  );

const show = async (url: string, signal: AbortSignal): Promise<void> => {
  const embed = embedOf(url, signal);
  const answer = await readPost(url, signal);
  if (signal.aborted) return;
  const title = showPost(answer);
  document.title = `${title} · Postern`;
  setText('status', `Read: ${title}.`);
  result.scrollIntoView({ block: 'nearest' });
  const html = await embed;
  if (!signal.aborted) showEmbed(html);
};

const showError = (error: unknown, pasted: string): void => {
  if (!(error instanceof ApiError)) throw error;
  result.hidden = true;
  setText('status', '');
  showProblem(error.problem, pasted);
};

const open = async (url: string): Promise<void> => {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  history.replaceState(null, '', `?${new URLSearchParams({ url })}`);
  clearProblem();
  setText('status', 'Reading…');
  setBusy(true);
  try {
    await show(url, signal);
  } catch (error) {
    if (!signal.aborted) showError(error, url);
  } finally {
    if (!signal.aborted) setBusy(false);
  }
};

const put = (url: string): void => {
  input.value = url;
  void open(url);
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const url = input.value.trim();
  if (url !== '') void open(url);
});

/** Reads a post link that is pasted into the empty field, without a press of the button. */
input.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text').trim() ?? '';
  if (input.value !== '' || !/^https?:\/\/\S+\/status(?:es)?\/\d+\S*$/i.test(text)) return;
  event.preventDefault();
  put(text);
});

example.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  put(example.dataset['url'] ?? '');
});

document.documentElement.classList.add('scripted');
startCopying();

const requested = new URLSearchParams(location.search).get('url')?.trim();
if (requested) put(requested);
