// Says what a path leads to on X that people reach here by replacing only the host of a URL, and what can be read instead.

import { matchesTemplate } from '../../shared/contract/paths.ts';
import type { PageOnX, ProblemOptions } from '../../shared/contract/problems.ts';
import { xPages } from '../../shared/contract/x-pages.ts';
import { type HttpEvent, requestPath } from '../../shared/http/event.ts';
import { isReserved, parseHandle, parseId } from '../../shared/model/handle.ts';

export const withoutSlash = (path: string): string => (/.\/$/.test(path) ? path.slice(0, -1) : path);

const FOLDER = '/*';

interface Values {
  readonly handle: string;
  readonly id: string;
}

/** X does not distinguish the case of letters. */
const matches = (parts: readonly string[], segments: readonly string[]): boolean =>
  matchesTemplate(
    parts,
    segments.map((segment) => segment.toLowerCase()),
  );

/** @returns undefined if the path does not match, or if a value is not valid */
const valuesIn = (path: string, template: string): Values | undefined => {
  const isFolder = template.endsWith(FOLDER);
  const parts = (isFolder ? template.slice(0, -FOLDER.length) : template).split('/');
  const all = path.split('/');
  const segments = isFolder ? all.slice(0, parts.length) : all;
  if (!matches(parts, segments)) return undefined;
  const handle = parts[1] === '{handle}' ? parseHandle((segments[1] ?? '').replace(/^%40/, '')) : '';
  const id = parts[3] === '{id}' ? parseId(segments[3] ?? '') : '';
  return handle === undefined || id === undefined || isReserved(handle) ? undefined : { handle, id };
};

const fill = (template: string, { handle, id }: Values): string =>
  template.replace('{handle}', handle).replace('{id}', id);

/** For people, the page with the form. */
const SEARCH = '/search?q=';

/** The labels of the links to what is here instead. */
const labels: ReadonlyMap<string, string> = new Map([
  ['/{handle}', 'Profile of @{handle}'],
  ['/{handle}/followers', 'Followers of @{handle}'],
  ['/{handle}/status/{id}', 'The post'],
  ['/{handle}/status/{id}/replies', 'The replies to the post'],
  ['/i/lists/{id}', 'Posts of the list'],
  [SEARCH, 'Search'],
]);

/** @param path on X @returns undefined if it is no known page of X */
export const pageOnX = (path: string): PageOnX | undefined => {
  const target = withoutSlash(path);
  for (const { paths, what, why, instead } of xPages)
    for (const template of paths.split(' ')) {
      const values = valuesIn(target, template);
      if (values === undefined) continue;
      const text = `On X, this address leads to ${what}. ${why}`;
      if (instead === undefined) return { text };
      return { text, way: { href: fill(instead, values), label: fill(labels.get(instead) ?? '', values) } };
    }
  return undefined;
};

/** An account can have the name of a page of X. */
const accountOf = (path: string): string => {
  const handle = parseHandle(path.slice(1));
  return handle === undefined || isReserved(handle) || handle === 'i'
    ? ''
    : ` An account of this name is at {base_url}/@${handle}.`;
};

/** @returns undefined if X has no page at the path */
export const describeUnknown = (event: HttpEvent): ProblemOptions | undefined => {
  const path = requestPath(event);
  const onX = pageOnX(path);
  if (onX === undefined) return undefined;
  const href = onX.way?.href;
  const resolution =
    href === undefined
      ? 'Find what can be read in {base_url}/docs.'
      : href === SEARCH
        ? `Search with {base_url}${href}WORDS.`
        : `Read {base_url}${href}.`;
  return { detail: onX.text, resolution: `${resolution}${accountOf(path)}`, onX };
};
