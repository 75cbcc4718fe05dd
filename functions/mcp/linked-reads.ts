// Finds the read to which a link leads, with its parameters, and writes the call of the tool that makes it.
import { readAt } from '../../shared/contract/operations.ts';
import { type KnownPageOnX, pageOnX } from '../../shared/contract/pages-on-x.ts';
import type { ParameterName } from '../../shared/contract/parameters.ts';
import { type Problem, problem } from '../../shared/contract/problems.ts';
import { rowOf, type UseCaseName } from '../../shared/contract/use-cases.ts';
import { meaningNouns, parseText, type TextMeaning } from '../../shared/model/account-list.ts';
import { definedMembers } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { kindOfPage } from '../../shared/model/x-urls.ts';

/** The meaning of a link that is read. */
export type LinkMeaning = Exclude<TextMeaning, { readonly kind: 'error' }>;

type Values = Readonly<Partial<Record<ParameterName, string>>>;

export interface LinkedRead {
  readonly meaning: LinkMeaning;
  readonly useCase: UseCaseName;
  readonly values: Values;
  /** The page that X has at the link, if the read is only what is here instead. */
  readonly onX?: KnownPageOnX;
}

const readAndValues = (meaning: LinkMeaning): readonly [UseCaseName, Values] => {
  switch (meaning.kind) {
    case 'post':
      return [readAt(`/{handle}/status/{id}/${meaning.page}`) ?? 'readPost', definedMembers({ ...meaning.ref })];
    case 'profile': {
      const { handle, page } = meaning;
      return [readAt(`/{handle}/${page}`) ?? 'readProfile', definedMembers({ handle, kind: page && kindOfPage[page] })];
    }
    case 'timeline': {
      const { handles, page } = meaning;
      return ['mergeTimelines', definedMembers({ handles: handles.join(), kind: page && kindOfPage[page] })];
    }
    case 'account':
      return ['readProfileById', { id: meaning.id }];
    case 'list':
      return ['readXList', { id: meaning.id }];
    case 'search':
      return ['searchPosts', definedMembers({ q: meaning.query, feed: meaning.feed })];
  }
};

export const readOfLink = (meaning: LinkMeaning): LinkedRead => {
  const [useCase, values] = readAndValues(meaning);
  const onX = 'path' in meaning && meaning.path !== undefined ? pageOnX(meaning.path) : undefined;
  return { meaning, useCase, values, ...(onX?.way && { onX }) };
};

/** A read below a post, and the read of the post itself. */
const isOfPost = (name: UseCaseName): boolean =>
  Object.values(rowOf(name).permalinks).some(({ path }) => path.startsWith('/{handle}/status/{id}'));

/**
 * A link to a post also names its author, and each page of a profile names the account.
 *
 * @returns the first of the reads that can be made of the link; undefined if there is none
 */
export const readAmong = <Name extends UseCaseName>(
  names: readonly Name[],
  { meaning, useCase, values, onX }: LinkedRead,
): Name | undefined => {
  const own = names.find((name) => name === useCase);
  if (own !== undefined || onX !== undefined) return own;
  return names.find(
    (name) =>
      (meaning.kind === 'post' && isOfPost(name)) ||
      (values.handle !== undefined && rowOf(name).required.includes('handle')),
  );
};

/** @returns `x_list_posts with handle "jack" and kind "media"` */
const callOf = ({ useCase, values: { handle, handles = handle, id, kind, q, feed } }: LinkedRead): string => {
  const { tool, toolChoice, toolFlag } = rowOf(useCase);
  const args = definedMembers(id === undefined ? { handle: handles, kind, q, feed } : { id, kind: toolChoice });
  const written = Object.entries(args).map(([name, value]) => `${name} ${JSON.stringify(visibleLine(value))}`);
  return `${tool} with ${[...written, ...(toolFlag === undefined ? [] : [`${toolFlag.name} true`])].join(' and ')}`;
};

export const NOT_HERE = 'The link leads to a page of X that no tool reads';

/** @param place of the link, if the parameter is a list @returns the problem of a link that another tool reads */
export const wrongTool = (parameter: ParameterName, read: LinkedRead, place = ''): Problem => {
  const call = callOf(read);
  return read.onX
    ? problem('invalid_path', { title: NOT_HERE, detail: read.onX.text, resolution: `Instead, call ${call}.` })
    : problem('invalid_path', {
        title: 'The link leads to something that another tool reads',
        errors: [{ parameter, message: `leads to ${meaningNouns[read.meaning.kind]}${place}: call ${call}` }],
        resolution: 'Make that call instead.',
      });
};

/** @returns the problem of a link on X that is not read, in the words of the pages; undefined if X has no such page */
export const unreadPage = (path: string): Problem | undefined => {
  const page = pageOnX(path);
  if (page === undefined) return undefined;
  const instead = page.way && parseText(`https://x.com${page.way.href}`);
  return problem('invalid_path', {
    title: NOT_HERE,
    detail: page.text,
    resolution:
      instead === undefined || instead.kind === 'error'
        ? 'Do not retry: call a tool for a post, a profile, a list or a search.'
        : `Instead, call ${callOf(readOfLink(instead))}.`,
  });
};
