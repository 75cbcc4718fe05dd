// Shows one post in its formats, with what a reader does next: copy, download, open the page.
import type { PostBody } from '../../../shared/model/resources.ts';
import { copyText, element, find, requirePart, setText } from '../../page/dom.ts';
import { fetchText } from '../../page/problem.ts';
import { showMessage } from './copy.ts';
import type { LoadableUrl } from './loadable.ts';
import { threadElements } from './thread.ts';

// Runs a list of tabs as the ARIA Authoring Practices describe it: arrow keys, Home and End move, and only the selected
// tab is a tab stop.

const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];

const panelOf = (tab: HTMLElement): HTMLElement => find(`#${tab.getAttribute('aria-controls')}`, HTMLElement);

/** @returns the id of the tab without its prefix */
const nameOf = (tab: HTMLElement): string => tab.id.replace('tab-', '');

const isSelected = (tab: HTMLElement): boolean => tab.ariaSelected === 'true';

const selectedTab = (): string => tabs.filter(isSelected).map(nameOf).join('');

/** @param onSelect gets the name of the tab that the reader selects */
const startTabs = (onSelect: (name: string) => void): void => {
  const select = (selected: HTMLElement): void => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === selected);
      tab.tabIndex = tab === selected ? 0 : -1;
      panelOf(tab).hidden = tab !== selected;
    }
    onSelect(nameOf(selected));
  };
  for (const [index, tab] of tabs.entries()) {
    const targets = new Map([
      ['ArrowLeft', tabs.at(index - 1)],
      ['ArrowRight', tabs[(index + 1) % tabs.length]],
      ['Home', tabs[0]],
      ['End', tabs.at(-1)],
    ]);
    tab.addEventListener('click', () => select(tab));
    tab.addEventListener('keydown', (event) => {
      const target = targets.get(event.key);
      if (target === undefined) return;
      event.preventDefault();
      target.focus();
      select(target);
    });
  }
};

/** The query of the permalink and the file name extension of each tab that can be downloaded. */
const FORMATS: ReadonlyMap<string, { readonly query: string; readonly extension: string }> = new Map([
  ['markdown', { query: '?format=markdown', extension: 'md' }],
  ['json', { query: '?format=json', extension: 'json' }],
  ['obsidian', { query: '?format=obsidian', extension: 'md' }],
]);

/** The permalink of the post that is shown, and the requests that belong to it. */
let shown = { path: '', requests: new AbortController() };

const fill = (id: string, text: string): void => {
  find(`#${id}`, HTMLElement).textContent = text;
};

const textOf = (id: string): string => find(`#${id}`, HTMLElement).textContent;

const loadObsidian = async ({ path, requests: { signal } }: typeof shown): Promise<void> => {
  fill('obsidian', 'Reading…');
  const text = await fetchText(`${path}?format=obsidian`, { signal, credentials: 'omit' }).catch(
    () => 'The note could not be read. Try again in a minute.',
  );
  if (!signal.aborted) fill('obsidian', text);
};

const curl = (target: string): string => `curl '${location.origin}${target}'`;

/** `/jack/status/20` is downloaded as `jack-20.md`, unless the answer names a file. */
const fileName = (extension: string): string => `${shown.path.slice(1).replace('/status/', '-')}.${extension}`;

const showActions = (tab: string): void => {
  const format = FORMATS.get(tab);
  const download = find('[data-part="download"]', HTMLAnchorElement);
  const line = requirePart('line');
  download.hidden = format === undefined;
  line.hidden = format === undefined;
  if (format === undefined) return;
  download.href = shown.path + format.query;
  download.download = fileName(format.extension);
  setText('download', `Download .${format.extension}`);
  fill('result-curl', curl(tab === 'markdown' ? shown.path : shown.path + format.query));
  if (tab === 'obsidian' && textOf('obsidian') === '') void loadObsidian(shown);
};

/** @param path the permalink @returns the title of the post */
export const showPost = (path: string, answer: PostBody, loadableUrl: LoadableUrl): string => {
  const { author } = answer.post;
  const title = author === undefined ? 'Post' : `${author.name || author.handle} (@${author.handle})`;
  shown.requests.abort();
  shown = { path, requests: new AbortController() };
  setText('title', title);
  // The panel shows no replies, and links to the page that does. The bar of the page names the sample.
  const warnings = answer.warnings.filter(({ code }) => code !== 'more_replies' && code !== 'sample');
  requirePart('warnings').replaceChildren(...warnings.map(({ message }) => element('li', message)));
  find('#post', HTMLElement).replaceChildren(...threadElements(answer, loadableUrl));
  fill('markdown', answer.markdown);
  fill('json', JSON.stringify(answer, null, 2));
  fill('obsidian', '');
  find('[data-part="page"]', HTMLAnchorElement).href = path;
  requirePart('result').hidden = false;
  showActions(selectedTab());
  return title;
};

export const startResult = (): void => {
  startTabs(showActions);
  const button = requirePart('copy');
  button.addEventListener('click', async () => {
    const tab = selectedTab();
    const source = find(`#${tab}`, HTMLElement);
    showMessage(button, await copyText(source, tab === 'post' ? source.innerText : source.textContent));
  });
};
