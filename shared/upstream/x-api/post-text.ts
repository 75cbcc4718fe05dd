// Parses the text of a post: decodes entities, expands short links, and collects mentions, hashtags, cashtags, links and card.
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Card } from '../../model/post.ts';
import { PLACES, type TextRange } from '../../model/text-places.ts';
import {
  buildText,
  escapesIn,
  linkTo,
  type NamedEntity,
  type NamedText,
  namedText,
  readEntities,
} from '../build-text.ts';
import { endOfText, facetAt, facetLocator, type Locate, shortLinkBefore } from '../facets.ts';
import { asArray, asRecords, asShortText, asTarget, asText, asWebUrl, optionalMember } from '../json-readers.ts';
import { memberOf } from './words.ts';

/** X escapes these three only: other entities are the author's text. */
const ESCAPED = /&(?:amp|lt|gt);/g;

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

const ENTITIES = [
  { type: 'mention', list: 'mentions', member: 'username' },
  { type: 'hashtag', list: 'hashtags', member: 'tag' },
  { type: 'cashtag', list: 'cashtags', member: 'tag' },
] as const;

const indicesOf = ({ start, end }: JsonRecord): unknown => [start, end];

/** @returns the mentions, hashtags and cashtags that the text has */
export const entitiesIn = (locate: Locate, entities: JsonRecord | undefined): NamedEntity[] =>
  readEntities(locate, entities, ENTITIES, indicesOf);

export type PostText = NamedText & { readonly card: Card | undefined };

export const parsePostText = (raw: JsonRecord, shown: ShownContent): PostText => {
  const note = asRecord(memberOf(raw, 'note'));
  const noteText = asText(note?.['text']);
  const text = noteText ?? asText(raw['text']) ?? '';
  const entities = (noteText === undefined ? undefined : asRecord(note?.['entities'])) ?? asRecord(raw['entities']);
  const locate = facetLocator(text);
  const shortLinks = asRecords(entities?.['urls']).flatMap((entry): ShortLink[] => {
    const target = asTarget(entry['expanded_url']);
    const original = asText(entry['url']);
    const range = original === undefined ? undefined : locate(facetAt(indicesOf(entry), original));
    if (target === undefined || range === undefined) return [];
    return [{ ...range, target, isShown: leadsToShown(target, entry, shown), raw: entry }];
  });
  const end = endWithoutShownLinks(text, shortLinks, shown);
  const links = shortLinks.filter((link) => link.end <= end);
  const replacements = links.map(({ start, end: linkEnd, target, raw: entry }) => ({
    start,
    end: linkEnd,
    ...linkTo(target, entry['display_url']),
  }));
  const built = buildText(text, [...replacements, ...escapesIn(text, ESCAPED)], { start: 0, end });
  const named = namedText(text, built, entitiesIn(locate, entities));
  return { ...named, [PLACES]: entities && named[PLACES], card: cardOf(links) };
};
