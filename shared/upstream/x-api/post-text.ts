// Parses the text of a post: decodes entities, expands short links, and collects mentions, hashtags, cashtags, links and card.
import { PROVIDER_HANDLE } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Card, Link } from '../../model/post.ts';
import { characterOf, endOfText, readEntities, replaceRanges, shortLinkBefore, type TextRange } from '../facets.ts';
import { asArray, asShortText, asTarget, asText, asWebUrl, optionalMember } from '../json-readers.ts';
import { memberOf } from './words.ts';

/** X escapes these three only: other entities are the author's text. */
const decodeText = (escaped: string): string => escaped.replace(/&(?:amp|lt|gt);/g, characterOf);

/** The parts of a post that are separate members. Short links to them at the end of the text are removed. */
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

const POST_URL = /^https?:\/\/(?:x|twitter)\.com\/(?:i\/web|\w{1,15})\/status\/([0-9]{1,19})(\/(?:photo|video)\/)?/;
const ARTICLE_URL = /^https?:\/\/(?:x|twitter)\.com\/i\/article\//;

const leadsToShown = (target: string, raw: JsonRecord, shown: ShownContent): boolean => {
  const [, id, attachment] = POST_URL.exec(target) ?? [];
  if (id !== undefined && id === shown.quoteId) return true;
  if (shown.article && ARTICLE_URL.test(target)) return true;
  return shown.media && (asText(raw['media_key']) !== undefined || (attachment !== undefined && id === shown.id));
};

/** @returns the end of the text without trailing short links to separate members */
const endWithoutShownLinks = (text: string, links: readonly ShortLink[], shown: ShownContent): number => {
  const showsSomething = shown.media || shown.article || shown.quoteId !== undefined;
  const isShownByStart = new Map(links.map(({ start, isShown }) => [start, isShown]));
  let end = endOfText(text, text.length);
  for (;;) {
    const start = shortLinkBefore(text, end);
    if (start === undefined) return end;
    // A short link without an entity leads to a separate member.
    if (!(isShownByStart.get(start) ?? showsSomething)) return end;
    end = endOfText(text, start);
  }
};

const linksOf = (links: readonly ShortLink[]): Link[] => {
  const byUrl = new Map<string, Link>();
  for (const { target, raw } of links) {
    const url = asWebUrl(target); // only its text is kept if it is not a URL
    if (url !== undefined && !byUrl.has(url))
      byUrl.set(url, { url, ...optionalMember('display_url', asShortText(raw['display_url'], 'line')) });
  }
  return [...byUrl.values()];
};

const cardOf = (links: readonly ShortLink[]): Card | undefined => {
  for (const { target, raw } of links) {
    const url = asWebUrl(target);
    const title = asShortText(raw['title'], 'title');
    if (url === undefined || title === undefined) continue;
    return {
      url,
      title,
      ...optionalMember('description', asShortText(raw['description'], 'caption')),
      ...optionalMember('image_url', asWebUrl(asRecord(asArray(raw['images'])[0])?.['url'])),
    };
  }
  return undefined;
};

export interface PostText {
  readonly text: string;
  readonly mentions: string[];
  readonly hashtags: string[];
  readonly cashtags: string[];
  readonly links: Link[];
  readonly card: Card | undefined;
}

export const parsePostText = (raw: JsonRecord, shown: ShownContent): PostText => {
  const note = asRecord(memberOf(raw, 'note'));
  const noteText = asText(note?.['text']);
  const text = noteText ?? asText(raw['text']) ?? '';
  const entities = (noteText === undefined ? undefined : asRecord(note?.['entities'])) ?? asRecord(raw['entities']);
  const reader = readEntities(text, entities, ({ start, end }) => [start, end]);
  const shortLinks = reader.of('urls').flatMap((entry): ShortLink[] => {
    const target = asTarget(entry['expanded_url']);
    const range = reader.linkRange(entry);
    if (target === undefined || range === undefined) return [];
    return [{ ...range, target, isShown: leadsToShown(target, entry, shown), raw: entry }];
  });
  const end = endWithoutShownLinks(text, shortLinks, shown);
  const links = shortLinks.filter((link) => link.end <= end);
  return {
    text: replaceRanges(
      text.slice(0, end),
      // The text shows a link as `links` has it.
      links.map(({ start, end, target }) => ({ start, end, by: asWebUrl(target) ?? target })),
      decodeText,
    ),
    mentions: reader.names('mentions', 'username').filter((handle) => PROVIDER_HANDLE.test(handle)),
    hashtags: reader.names('hashtags', 'tag'),
    cashtags: reader.names('cashtags', 'tag'),
    links: linksOf(links),
    card: cardOf(links),
  };
};
