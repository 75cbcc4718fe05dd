// The front page: a link goes in, and the post comes out in three forms.
import { PublicApiError, readEmbed, readPost } from './api.ts';
import { startCopying } from './copy.ts';
import { find, requirePart, setText } from './dom.ts';
import { clearProblem, showProblem } from './problem.ts';
import { showEmbed, showPost } from './result.ts';

const form = find('form', HTMLFormElement);
const input = find('#url', HTMLInputElement);
const example = find('[data-part="example"]', HTMLAnchorElement);
const result = requirePart('result');

/** Of the latest link: what was asked before is not shown any more. */
let asking = new AbortController();

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

const refuse = (error: unknown, asked: string): void => {
  if (!(error instanceof PublicApiError)) throw error;
  result.hidden = true;
  setText('status', '');
  showProblem(error.problem, asked);
};

const open = async (url: string): Promise<void> => {
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  history.replaceState(null, '', `?${new URLSearchParams({ url })}`);
  clearProblem();
  setText('status', 'Reading…');
  setBusy(true);
  try {
    await show(url, signal);
  } catch (error) {
    if (!signal.aborted) refuse(error, url);
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

/** A link that is pasted into the empty field is meant to be read. */
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

const asked = new URLSearchParams(location.search).get('url')?.trim();
if (asked) put(asked);
