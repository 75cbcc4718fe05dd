// The words of a post, with links written out, and what they name. X's text is HTML-escaped with short links in it.
import { PROVIDER_HANDLE } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Card, Link } from '../../model/post.ts';
import {
  endOfWords,
  facetAt,
  facetLocator,
  namesIn,
  replaceRanges,
  shortLinkBefore,
  type TextRange,
} from '../facets.ts';
import { asArray, asRecords, asText, asWebUrl, optionalMember } from '../json-readers.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
]);

const decoded = (escaped: string): string =>
  escaped.includes('&') ? escaped.replace(/&(amp|lt|gt);/g, (_, name: string) => escapes.get(name) ?? '') : escaped;

/** What is shown beside the text, so that a link to it at the end says nothing. */
export interface ShownContent {
  readonly id: string;
  readonly quoteId: string | undefined;
  readonly media: boolean;
  readonly article: boolean;
}

interface ShortLink extends TextRange {
  readonly target: string;
  readonly isShown: boolean;
  readonly raw: JsonRecord;
}

const OF_POST = /^https?:\/\/(?:x|twitter)\.com\/(?:i\/web|\w{1,15})\/status\/([0-9]{1,19})(\/(?:photo|video)\/)?/;
const OF_ARTICLE = /^https?:\/\/(?:x|twitter)\.com\/i\/article\//;

const leadsToShown = (target: string, raw: JsonRecord, shown: ShownContent): boolean => {
  const [, id, attachment] = OF_POST.exec(target) ?? [];
  if (id !== undefined && id === shown.quoteId) return true;
  if (shown.article && OF_ARTICLE.test(target)) return true;
  return shown.media && (asText(raw['media_key']) !== undefined || (attachment !== undefined && id === shown.id));
};

/** Where the text ends without the short links that lead to what is shown beside it. */
const endOfText = (words: string, links: readonly ShortLink[], shown: ShownContent): number => {
  const showsSomething = shown.media || shown.article || shown.quoteId !== undefined;
  const explained = new Map(links.map(({ start, isShown }) => [start, isShown]));
  let end = endOfWords(words, words.length);
  for (;;) {
    const start = shortLinkBefore(words, end);
    if (start === undefined) return end;
    // One that the answer does not explain can lead to nothing else.
    if (!(explained.get(start) ?? showsSomething)) return end;
    end = endOfWords(words, start);
  }
};

const linksOf = (links: readonly ShortLink[]): Link[] => {
  const byUrl = new Map<string, Link>();
  for (const { target, raw } of links) {
    const url = asWebUrl(target); // of what is none, the words alone are kept
    if (url !== undefined && !byUrl.has(url))
      byUrl.set(url, { url, ...optionalMember('display_url', asText(raw['display_url'])) });
  }
  return [...byUrl.values()];
};

const cardOf = (links: readonly ShortLink[]): Card | undefined => {
  for (const { target, raw } of links) {
    const url = asWebUrl(target);
    const title = asText(raw['title']);
    if (url === undefined || title === undefined) continue;
    return {
      url,
      title,
      ...optionalMember('description', asText(raw['description'])),
      ...optionalMember('image_url', asWebUrl(asRecord(asArray(raw['images'])[0])?.['url'])),
    };
  }
  return undefined;
};

export interface PostText {
  readonly text: string;
  readonly mentions: string[];
  readonly hashtags: string[];
  readonly links: Link[];
  readonly card: Card | undefined;
}

export const parsePostText = (raw: JsonRecord, shown: ShownContent): PostText => {
  const note = asRecord(raw['note_tweet']);
  const noteText = asText(note?.['text']);
  const words = noteText ?? asText(raw['text']) ?? '';
  const entities = (noteText === undefined ? undefined : asRecord(note?.['entities'])) ?? asRecord(raw['entities']);
  const locate = facetLocator(words);
  const at = (entry: JsonRecord, original: string): TextRange | undefined =>
    locate(facetAt([entry['start'], entry['end']], original));
  const each = (name: string): readonly JsonRecord[] => asRecords(entities?.[name]);
  const named = (name: string, member: string): string[] =>
    namesIn(each(name), member, (entry, original) => at(entry, original) !== undefined);
  const found = each('urls').flatMap((entry): ShortLink[] => {
    const short = asText(entry['url']);
    const target = asText(entry['expanded_url']);
    const where = short === undefined ? undefined : at(entry, short);
    if (target === undefined || where === undefined) return [];
    return [{ ...where, target, isShown: leadsToShown(target, entry, shown), raw: entry }];
  });
  const end = endOfText(words, found, shown);
  const links = found.filter((link) => link.end <= end);
  return {
    text: replaceRanges(
      words.slice(0, end),
      links.map(({ start, end, target }) => ({ start, end, by: target })),
      decoded,
    ),
    mentions: named('mentions', 'username').filter((handle) => PROVIDER_HANDLE.test(handle)),
    hashtags: named('hashtags', 'tag'),
    links: linksOf(links),
    card: cardOf(links),
  };
};
