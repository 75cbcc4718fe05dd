// Reads the accounts of a timeline from the text of the box: handles, links of profiles and of timelines, and addresses of
// feeds, with commas, semicolons, spaces or line ends between them, or a whole OPML file. Every other text has the meaning
// that box.ts finds. The script of the front page has only that, because it shows posts.
import { type BoxMeaning, type BoxTarget, boxTarget, parseBox } from './box.ts';
import { handleListSegment, MAX_HANDLES, parseHandle } from './handle.ts';
import { restoreLinks } from './link-spellings.ts';
import { decodeSegment, isKnownHost, type ProfilePage, parseWebUrl, profilePageOfX } from './x-urls.ts';

export type TextMeaning =
  | Exclude<BoxMeaning, { readonly kind: 'error' }>
  /** Two or more handles, in lower case, sorted. */
  | { readonly kind: 'timeline'; readonly handles: readonly string[]; readonly page?: ProfilePage }
  | Extract<BoxMeaning, { readonly kind: 'error' }>
  | { readonly kind: 'error'; readonly code: 'invalid_parameter'; readonly path?: never };

/** What a text means, as errors name it. */
export const meaningNouns: Readonly<Record<Exclude<TextMeaning['kind'], 'error'>, string>> = {
  post: 'a post',
  profile: 'a profile',
  timeline: 'the posts of several accounts',
  account: 'an account by its id',
  list: 'a list of X',
  search: 'a search',
};

/** A set of handles and, of a link, the tab. */
interface Accounts {
  readonly handles: readonly string[];
  readonly page?: ProfilePage | undefined;
}

const COMMAS = /[,;\r\n]+/;
/** Digits only are a number or an id. */
const NAME = /^(?:[@\uff20](\w{1,15})|(?!\d+$)(\w{1,15}))$/;
const FEED_ADDRESS = /\bxmlUrl\s*=\s*["']([^"']*)/gi;
/** The commas of a sentence have spaces. */
const PROSE = /^[^@\uff20/]*[ \t][^@\uff20/]*$/;
/** The feed that pages of a profile name. */
const FEED_PATH = /^\/api\/v1\/profiles\/(\w{1,15})\/posts$/;
/** The commas of a link stand after its host: this is a handle before a link. */
const COMMA_BEFORE_LINK = /^[^/?#]*[,;]/;
/** Most instances of nitter have a host name such as `nitter.example.org`. */
const NITTER = /^(https?:\/\/)nitter\.[^/?#:]+/i;

/** @returns undefined if the path is not of a timeline */
const accountsAt = (path: string): Accounts | undefined => {
  const [first = '', ...more] = path.split('/');
  const names = decodeSegment(first)?.split(',') ?? [];
  const handles = names.filter((name) => name.trim() !== '').map((name) => parseHandle(name.trim()) ?? '');
  const page = profilePageOfX(more.join('/'));
  return names.length > 1 && page && !handles.includes('') ? { handles, page: page.page } : undefined;
};

const accountsOfLink = (text: string, origin: string | undefined): Accounts | undefined => {
  const link = text.replace(NITTER, '$1nitter.net');
  const url = parseWebUrl(link);
  if (url === undefined || !isKnownHost(url, origin)) return undefined;
  const [, ofFeed] = (url.origin === origin && FEED_PATH.exec(url.pathname)) || [];
  if (ofFeed !== undefined) return { handles: [ofFeed] };
  const meaning = parseBox(link, origin);
  return meaning?.kind === 'profile' ? { handles: [meaning.handle] } : accountsAt(url.pathname.slice(1));
};

/** The link of a timeline has commas, too. */
const withoutListLinks = (text: string, origin: string | undefined): string =>
  text
    .split(/(\s+)/)
    .map(
      (word) =>
        (word.includes('/') &&
          word.lastIndexOf(',') > word.indexOf('/') &&
          accountsOfLink(word, origin)
            ?.handles.map((each) => `@${each}`)
            .join()) ||
        word,
    )
    .join('');

/**
 * A name without `@` is a handle where it stands between commas or on a line of its own.
 *
 * @param isList the text can be nothing else than accounts
 * @returns undefined if the text is no list of accounts
 */
const handlesIn = (text: string, origin: string | undefined, isList = false): readonly string[] | undefined => {
  const feeds = [...text.matchAll(FEED_ADDRESS)].map(([, address = '']) => address);
  if (feeds.length === 0 && !isList && PROSE.test(text.trim())) return undefined;
  const handles: string[] = [];
  for (const line of feeds.length > 0 ? feeds : withoutListLinks(text, origin).split(COMMAS)) {
    const words = line.split(/\s+/).filter((word) => word !== '');
    for (const word of words) {
      const [, mentioned, name] = NAME.exec(word) ?? [];
      const handle = mentioned ?? (isList || words.length === 1 ? name : undefined);
      const found = handle === undefined ? accountsOfLink(word, origin)?.handles : [handle];
      if (found === undefined) return undefined;
      handles.push(...found);
    }
  }
  return handles;
};

/** @returns a profile if there is one account; undefined if there is none */
const timelineOf = ({ handles, page }: Accounts): TextMeaning | undefined => {
  const set = [...new Set(handles.map((handle) => handle.toLowerCase()))].sort();
  const [first, ...others] = set;
  if (set.length > MAX_HANDLES) return { kind: 'error', code: 'invalid_parameter' };
  if (others.length === 0) return first === undefined ? undefined : parseBox(`@${first}`);
  return { kind: 'timeline', handles: set, ...((page === 'with_replies' || page === 'media') && { page }) };
};

/**
 * @param origin the origin of this service, whose links are also understood
 * @returns undefined if the box is empty
 */
export const parseText = (input: string, origin?: string): TextMeaning | undefined => {
  const text = input.toWellFormed().trim();
  const meaning = parseBox(text, origin);
  const isOneLink = !/\s/.test(text) && !COMMA_BEFORE_LINK.test(text);
  // A post wins, and the commas of a link that is read belong to it.
  if (meaning?.kind === 'post' || (isOneLink && meaning?.kind === 'profile')) return meaning;
  const restored = restoreLinks(text);
  const linked = isOneLink ? accountsOfLink(restored, origin) : undefined;
  if (linked !== undefined) return timelineOf(linked);
  const handles = handlesIn(restored, origin) ?? [];
  return (handles.length > 1 ? timelineOf({ handles }) : undefined) ?? meaning;
};

/**
 * @param to the path of a timeline after its slash: the text names accounts that are added to it
 * @returns undefined if one of them is no list of accounts
 */
export const parseAccounts = (input: string, origin: string | undefined, to: string): TextMeaning | undefined => {
  const before = accountsAt(to);
  const added = handlesIn(input.toWellFormed(), origin, true);
  return before && added && timelineOf({ ...before, handles: [...before.handles, ...added] });
};

/** @returns the permalink or search, whose paths are those of X and of its mirrors */
export const textTarget = (meaning: Exclude<TextMeaning, { readonly kind: 'error' }>): BoxTarget => {
  if (meaning.kind !== 'timeline') return boxTarget(meaning);
  const { handles, page } = meaning;
  return { path: `/${handleListSegment(handles.join(','))}${page === undefined ? '' : `/${page}`}` };
};
