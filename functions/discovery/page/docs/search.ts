// Searches the documentation while the reader types. The arrow keys move through the results, Enter opens the first
// result, and Escape closes the results.
import { element, find, requirePart, setText } from '../../../page/dom.ts';
import { pluralize } from '../../../page/format.ts';
import type * as Engine from './search-engine.ts';

const load = async ({ dataset }: HTMLInputElement): Promise<Engine.Search> => {
  const [engine, index]: [typeof Engine, string] = await Promise.all([
    import(String(dataset['engine'])),
    fetch(String(dataset['index'])).then((response) =>
      response.ok ? response.text() : Promise.reject(new Error('no index')),
    ),
  ]);
  return engine.createSearch(index);
};

const resultItem = ({ href, page, title, excerpt }: Engine.SearchResult): HTMLElement => {
  const link = document.createElement('a');
  link.href = href;
  link.append(
    element('strong', title),
    ...(page === title ? [] : [' ', element('small', page)]),
    element('span', excerpt),
  );
  const item = element('li');
  item.append(link);
  return item;
};

export const startSearching = (): void => {
  const input = find('#find', HTMLInputElement);
  const list = requirePart('found');
  let search: Promise<Engine.Search> | undefined;

  const show = (items: readonly HTMLElement[], message: string): void => {
    list.replaceChildren(...items);
    list.hidden = message === '';
    setText('found-status', message);
  };

  const close = (): void => show([], '');

  const loaded = (): Promise<Engine.Search> => {
    search ??= load(input);
    return search;
  };

  const update = async (): Promise<void> => {
    const words = input.value.trim();
    if (words === '') return close();
    setText('found-status', 'Searching…');
    try {
      const results = (await loaded())(words);
      // The reader can type on while the index loads.
      if (input.value.trim() !== words) return;
      const none = element('li', `Nothing contains “${words}”.`, 'none');
      show(
        results.length === 0 ? [none] : results.map(resultItem),
        results.length === 0 ? 'No result.' : `${pluralize(results.length, 'result', 'results')}.`,
      );
    } catch {
      search = undefined;
      show([element('li', 'The index could not be loaded. Try again.', 'none')], 'The index could not be loaded.');
    }
  };

  const links = (): readonly HTMLElement[] => [...list.querySelectorAll('a')];

  /** @param step 1 or -1; before the first result is the field */
  const move = (step: number): void => {
    const stops = [input, ...links()];
    const current = stops.findIndex((stop) => stop.matches(':focus'));
    stops[Math.min(Math.max(current + step, 0), stops.length - 1)]?.focus();
  };

  const keys: ReadonlyMap<string, () => void> = new Map([
    ['ArrowDown', () => move(1)],
    ['ArrowUp', () => move(-1)],
    [
      'Escape',
      () => {
        input.value = '';
        close();
        input.focus();
      },
    ],
  ]);

  const onKey = (event: KeyboardEvent): void => {
    const action = list.hidden ? undefined : keys.get(event.key);
    if (action === undefined) return;
    event.preventDefault();
    action();
  };

  input.addEventListener('focus', () => void loaded().catch(() => (search = undefined)));
  input.addEventListener('input', () => void update());
  input.addEventListener('keydown', (event) => {
    onKey(event);
    if (event.key === 'Enter') links()[0]?.click();
  });
  list.addEventListener('keydown', onKey);
  // A section of this page needs no new page, so the results must be closed.
  list.addEventListener('click', close);
};
