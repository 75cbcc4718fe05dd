// Runs the front page: shows the post of a pasted link in its formats. Submitting the form leads to the page of the post,
// with and without this script.
import { type BoxMeaning, parseBox, postTarget } from '../../../shared/model/box.ts';
import type { PostBody } from '../../../shared/model/resources.ts';
import { find, requirePart, setText } from '../../page/dom.ts';
import { ApiError, fetchJson } from '../../page/problem.ts';
import { showMessage, startCopying } from './copy.ts';
import { readLoadable } from './loadable.ts';
import { clearProblem, showOtherMeaning, showProblem } from './problem.ts';
import { showPost, startResult } from './result.ts';

const input = find('#q', HTMLInputElement);
const result = requirePart('result');
const convert = requirePart('convert');

/** Belongs to the latest link: answers to earlier links are not shown any more. */
let latest = new AbortController();

const setBusy = (isBusy: boolean): void => {
  convert.ariaBusy = String(isBusy);
  result.ariaBusy = String(isBusy);
};

const showError = (error: unknown): void => {
  if (!(error instanceof ApiError)) throw error;
  showProblem(error.problem);
};

/** Starts over: nothing of an earlier link stays. */
const clear = (): AbortSignal => {
  latest.abort();
  latest = new AbortController();
  clearProblem();
  setText('status', '');
  return latest.signal;
};

/** A link to a page below a post shows the post. */
const showMeaning = async ({ ref }: Extract<BoxMeaning, { kind: 'post' }>, signal: AbortSignal): Promise<void> => {
  const path = postTarget(ref);
  setText('status', 'Reading…');
  setBusy(true);
  try {
    const options = { signal, credentials: 'omit' } as const;
    const answer = await fetchJson<PostBody>(`${path}?format=json`, options);
    const loadableUrl = await readLoadable(path, options);
    if (signal.aborted) return;
    const title = showPost(path, answer, loadableUrl);
    document.title = `${title} · Postern`;
    setText('status', `Read: ${title}.`);
    result.scrollIntoView({ block: 'nearest' });
  } catch (error) {
    if (signal.aborted) return;
    result.hidden = true;
    setText('status', '');
    showError(error);
  } finally {
    if (!signal.aborted) setBusy(false);
  }
};

const show = async (text: string): Promise<void> => {
  const meaning = parseBox(text, location.origin);
  const signal = clear();
  setBusy(false);
  if (meaning === undefined) return input.focus();
  history.replaceState(null, '', `?${new URLSearchParams({ url: text })}`);
  if (meaning.kind === 'post') return showMeaning(meaning, signal);
  result.hidden = true;
  showOtherMeaning(meaning);
};

convert.addEventListener('click', () => void show(input.value));

input.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text').trim() ?? '';
  if (input.value === '' && parseBox(text, location.origin)?.kind === 'post') void show(text);
});

// The policy of this page runs no bookmarklet, and here it would have nothing to open.
const bookmarklet = requirePart('bookmarklet');
bookmarklet.addEventListener('click', (event) => {
  event.preventDefault();
  showMessage(bookmarklet, 'Drag it to the bookmarks.');
});

document.documentElement.classList.add('scripted');
startCopying();
startResult();

const requested = new URLSearchParams(location.search).get('url')?.trim();
if (requested) {
  input.value = requested;
  void show(requested);
}
