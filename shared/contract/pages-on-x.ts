// Finds what a path leads to on X if no route of this service reads it, and what can be read instead.
import { isReserved, parseHandle, parseId } from '../model/handle.ts';
import { matchesTemplate } from './paths.ts';
import type { PageOnX } from './problem-ways.ts';
import { type XPage, xPages } from './x-pages.ts';

/** `/` stays as it is. */
export const withoutSlash = (path: string): string => (/.\/$/.test(path) ? path.slice(0, -1) : path);

const FOLDER = '/*';

interface Values {
  readonly handle: string;
  readonly id: string;
}

/** @returns undefined if the path does not match, or if a value is not valid */
const valuesIn = (path: string, template: string): Values | undefined => {
  const isFolder = template.endsWith(FOLDER);
  const parts = (isFolder ? template.slice(0, -FOLDER.length) : template).split('/');
  const all = path.split('/');
  const segments = isFolder ? all.slice(0, parts.length) : all;
  // X does not distinguish the case of letters.
  if (!matchesTemplate(parts, segments.join('/').toLowerCase().split('/'))) return undefined;
  const handle = parts[1] === '{handle}' ? parseHandle((segments[1] ?? '').replace(/^%40/, '')) : '';
  const id = parts[3] === '{id}' ? parseId(segments[3] ?? '') : '';
  return handle === undefined || id === undefined || isReserved(handle) ? undefined : { handle, id };
};

const fill = (template: string, { handle, id }: Values): string =>
  template.replace('{handle}', handle).replace('{id}', id);

/** For people, the page with the form. */
export const SEARCH_PAGE = '/search?q=';

/** The labels of the links to what is here instead. */
const labels: ReadonlyMap<string, string> = new Map([
  ['/{handle}', 'Profile of @{handle}'],
  ['/{handle}/followers', 'Followers of @{handle}'],
  ['/{handle}/status/{id}', 'The post'],
  ['/{handle}/status/{id}/replies', 'The replies to the post'],
  ['/i/lists/{id}', 'Posts of the list'],
  [SEARCH_PAGE, 'Search'],
]);

/** A short link such as https://t.co/abc. */
export const SHORT_LINK_ON_X: PageOnX = {
  text: 'This is a short link of X, and only X knows where it leads. This service does not ask: open the link in a browser, and paste the address to which it leads.',
};

/** Has the words of `text`, too. */
export type KnownPageOnX = PageOnX & Pick<XPage, 'what' | 'why'>;

/** @param template such as `/{handle}` @returns the page of X with this name below it; undefined if it is no known one */
export const pageBelow = (template: string, name: string): XPage | undefined =>
  xPages.find(({ paths }) => paths.split(' ').some((path) => path.replace(/\/\*$/, '') === `${template}/${name}`));

/** @param path on X @returns undefined if it is no known page of X */
export const pageOnX = (path: string): KnownPageOnX | undefined => {
  const target = withoutSlash(path);
  for (const { paths, what, why, instead } of xPages)
    for (const template of paths.split(' ')) {
      const values = valuesIn(target, template);
      if (values === undefined) continue;
      const text = `On X, this address leads to ${what}. ${why}`;
      if (instead === undefined) return { text, what, why };
      return { text, what, why, way: { href: fill(instead, values), label: fill(labels.get(instead) ?? '', values) } };
    }
  return undefined;
};
