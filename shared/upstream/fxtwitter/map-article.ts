// Maps the body of an X article (Draft.js raw content) to blocks. Unknown styles are left out. The text of an unknown block
// becomes a paragraph, and an unknown entity becomes a link or code. What cannot be shown gives a warning.
import type { WarningCode } from '../../contract/warnings.ts';
import { postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, ArticleBlock, Media } from '../../model/post.ts';
import { type MappedPart, mediaOf } from '../attachments.ts';
import {
  asArray,
  asId,
  asLine,
  asPositiveInteger,
  asRecords,
  asShortText,
  asText,
  asWebUrl,
  optionalMember,
  parseDate,
} from '../json-readers.ts';
import type { MayInclude } from '../repeats.ts';
import { type FindLink, rangeOf, spansOf } from './article-spans.ts';

/** Keys are strings or numbers. */
const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

/** Keeps the first record with each key. */
const byKey = (entries: unknown, key: string): ReadonlyMap<string, JsonRecord> => {
  const found = new Map<string, JsonRecord>();
  for (const raw of asRecords(entries)) {
    const name = keyOf(raw[key]);
    if (name !== undefined && !found.has(name)) found.set(name, raw);
  }
  return found;
};

/** @returns the entity with this key; undefined if there is none */
type FindEntity = (key: unknown) => JsonRecord | undefined;

/** The entities and the media to which the blocks of an article refer. */
interface ArticleReferences {
  /** `entityMap` is an array of keys and values in any order. A block can refer to a missing key. */
  readonly entity: FindEntity;
  /** Checks a URL once, however many ranges refer to it. */
  readonly link: FindLink;
  media(id: unknown): JsonRecord | undefined;
  readonly mayInclude: MayInclude;
  /** The warnings about parts that were left out. */
  readonly missing: Set<WarningCode>;
}

const createReferences = (entityMap: unknown, mediaEntities: unknown, mayInclude: MayInclude): ArticleReferences => {
  const entities = byKey(entityMap, 'key');
  const media = byKey(mediaEntities, 'media_id');
  const urls = new Map<JsonRecord, string | undefined>();
  const entity: FindEntity = (key) => asRecord(entities.get(keyOf(key) ?? '')?.['value']);
  return {
    entity,
    link(key) {
      const part = entity(key);
      if (part?.['type'] !== 'LINK') return undefined;
      if (!urls.has(part)) urls.set(part, asWebUrl(asRecord(part['data'])?.['url']));
      const url = urls.get(part);
      return url === undefined ? undefined : { url, part };
    },
    media: (id) => asRecord(media.get(keyOf(id) ?? '')?.['media_info']),
    mayInclude,
    missing: new Set(),
  };
};

/** @returns the still of a video */
const stillOf = (info: JsonRecord): string | undefined =>
  asWebUrl(info['media_url_https']) ?? asWebUrl(asRecord(info['preview_image'])?.['original_img_url']);

/** @returns the picture's width and height as X writes them */
const sizeOf = (info: JsonRecord): { readonly width: unknown; readonly height: unknown } => {
  const size = asRecord(info['original_info']);
  return {
    width: info['original_img_width'] ?? size?.['width'],
    height: info['original_img_height'] ?? size?.['height'],
  };
};

/** A video has its variants and its duration in `video_info` or beside it. */
const mapArticleMedia = (info: JsonRecord): Media | undefined => {
  const photo = asWebUrl(info['original_img_url']);
  const video = asRecord(info['video_info']) ?? info;
  const isGif = info['__typename'] === 'ApiGif' || info['type'] === 'animated_gif';
  return mediaOf({
    type: photo !== undefined ? 'photo' : isGif ? 'gif' : 'video',
    photo,
    still: stillOf(info),
    ...sizeOf(info),
    alt: info['ext_alt_text'] ?? info['alt_text'],
    variants: video['variants'],
    milliseconds: video['duration_millis'],
  });
};

/** The bound of 20 keeps the time linear for a long run of backticks. */
const FENCED = /^\s*(`{3,20}|~{3,20})([^\n`]*)\n([\s\S]*?)\n?\1\s*$/;

const codeBlock = (markdown: string): ArticleBlock => {
  const fenced = FENCED.exec(markdown);
  if (fenced === null) return { type: 'code', text: markdown };
  return { type: 'code', ...optionalMember('language', asLine(fenced[2])), text: fenced[3] ?? '' };
};

const paragraph = (text: string, url?: string): ArticleBlock => ({
  type: 'paragraph',
  spans: [{ text, ...optionalMember('url', url) }],
});

const mediaBlocks = (data: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const media = asArray(data['mediaItems']).flatMap((item): ArticleBlock[] => {
    const info = references.media(asRecord(item)?.['mediaId']);
    const mapped = info && references.mayInclude(info) ? mapArticleMedia(info) : undefined;
    if (mapped === undefined) references.missing.add('media_unsupported');
    return mapped === undefined ? [] : [{ type: 'media', media: mapped }];
  });
  const caption = asShortText(data['caption'], 'caption');
  return caption === undefined || caption.trim() === '' ? media : [...media, paragraph(caption)];
};

/** The members of an entity that are not words of the author. */
const INTERNAL = /^(?:id|key)$|(?:Id|ID|Key|_id|_key)$/;
/** A table has its cells two levels below its member. */
const MAX_DEPTH = 6;
/** A link takes more characters of the result than of the response. The URLs of further members are texts. */
const MAX_LINKS = 20;

const membersOf = (data: JsonRecord): readonly string[] => Object.keys(data).filter((name) => !INTERNAL.test(name));

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Adds the texts in a member of an entity; the cells of a row are one text. @returns false if some are nested too deeply */
const addTexts = (texts: string[], value: unknown, depth = 0): boolean => {
  if (Array.isArray(value) && value.every(isScalar)) return addTexts(texts, value.join(' | '), depth);
  const text = asText(value);
  if (text !== undefined && text.trim() !== '') texts.push(text);
  // A number that is a member of the entity itself is a size or a position.
  if (typeof value === 'number' && depth > 0) texts.push(String(value));
  const record = asRecord(value);
  const parts = record === undefined ? asArray(value) : membersOf(record).map((name) => record[name]);
  if (depth === MAX_DEPTH) return parts.length === 0;
  return parts.map((part) => addTexts(texts, part, depth + 1)).every(Boolean);
};

/**
 * @param words the part of the block's text that stands for the entity
 * @returns the links of an entity of an unknown type with its other texts, or its texts as code, without those in `words`
 */
const unknownBlocks = ({ type, data: raw }: JsonRecord, words: string, missing: Set<WarningCode>): ArticleBlock[] => {
  const data = asRecord(raw) ?? {};
  const urls = new Map(
    membersOf(data)
      .flatMap((name) => {
        const url = asWebUrl(data[name]);
        return url === undefined ? [] : [[name, url] as const];
      })
      .slice(0, MAX_LINKS),
  );
  const title = urls.size === 0 ? undefined : asText(data['title'])?.trim() || undefined;
  const links = [...new Set(urls.values())].map((url, index) =>
    paragraph((index === 0 ? title : undefined) ?? url, url),
  );
  const texts: string[] = [];
  for (const name of membersOf(data)) {
    const isLinked = urls.has(name) || (name === 'title' && title !== undefined);
    if (!isLinked && !addTexts(texts, data[name])) missing.add('article_incomplete');
  }
  const others = texts.filter((text) => !words.includes(text));
  if (others.length === 0) return links;
  const text = others.join('\n');
  if (links.length > 0) return [...links, paragraph(text)];
  return [{ type: 'code', ...optionalMember('language', asLine(type)?.toLowerCase()), text }];
};

/** @returns an empty list if the entity cannot be shown, or if `words` shows all of it */
const entityBlocks = (target: JsonRecord, words: string, references: ArticleReferences): ArticleBlock[] => {
  const data = asRecord(target['data']) ?? {};
  switch (target['type']) {
    case 'MEDIA':
      return mediaBlocks(data, references);
    case 'MARKDOWN': {
      const markdown = asText(data['markdown']);
      return markdown === undefined ? [] : [codeBlock(markdown)];
    }
    case 'TWEET': {
      const id = asId(data['tweetId']);
      return id === undefined ? [] : [{ type: 'post', id, url: postUrl(id) }];
    }
    case 'DIVIDER':
      return [{ type: 'divider' }];
    default:
      return unknownBlocks(target, words, references.missing);
  }
};

/** These are never a part of a text. */
const BLOCK_ENTITIES: ReadonlySet<unknown> = new Set(['MEDIA', 'MARKDOWN', 'TWEET', 'DIVIDER']);

/** Bounds the work for ranges that share a long text. */
const MAX_WORDS = 1000;
/** The object replacement character and the space without width are placeholders, too. */
const PLACEHOLDER = /^[\s\u200b\ufffc]*$/;

/** @returns the part of a block's text that stands for an entity; empty if that is a placeholder */
const wordsOf = (content: string, raw: JsonRecord): string => {
  const range = rangeOf(raw);
  const words = range === undefined ? '' : content.slice(range.start, Math.min(range.end, range.start + MAX_WORDS));
  return PLACEHOLDER.test(words) ? '' : words;
};

/** @returns the blocks of the entities that the text of the block does not show */
const blocksOfEntities = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const isText = block['type'] !== 'atomic';
  const content = asText(block['text']) ?? '';
  return asRecords(block['entityRanges']).flatMap((raw) => {
    const target = references.entity(raw['key']);
    const words = wordsOf(content, raw);
    const isWritten = words !== '' && !BLOCK_ENTITIES.has(target?.['type']);
    if (isText && isWritten) {
      const isLink = target?.['type'] === 'LINK' && block['type'] !== 'code-block';
      if (target === undefined || target['type'] === 'TWEMOJI' || (isLink && references.link(raw['key']))) return [];
    }
    const blocks = target !== undefined && references.mayInclude(target) ? entityBlocks(target, words, references) : [];
    if (blocks.length === 0 && !isWritten) references.missing.add('article_incomplete');
    return blocks;
  });
};

/** An atomic block usually has a space as its text, and one entity. */
const atomicBlocks = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const blocks = blocksOfEntities(block, references);
  const text = asText(block['text']) ?? '';
  return PLACEHOLDER.test(text) ? blocks : [paragraph(text.trim()), ...blocks];
};

const headingLevels: ReadonlyMap<string, number> = new Map([
  ['header-one', 1],
  ['header-two', 2],
  ['header-three', 3],
  ['header-four', 4],
  ['header-five', 5],
  ['header-six', 6],
]);

const textBlocks = (type: string, block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const content = asText(block['text']);
  if (content === undefined || content.trim() === '') return [];
  if (type === 'code-block') return [{ type: 'code', text: content }];
  const spans = spansOf(block, references);
  const level = headingLevels.get(type);
  if (level !== undefined) return [{ type: 'heading', level, spans }];
  if (type === 'blockquote') return [{ type: 'quote', spans }];
  if (type === 'ordered-list-item') return [{ type: 'list_item', ordered: true, spans }];
  if (type === 'unordered-list-item') return [{ type: 'list_item', ordered: false, spans }];
  return [{ type: 'paragraph', spans }];
};

const mapBlock = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const type = asText(block['type']) ?? 'unstyled';
  if (type === 'atomic') return atomicBlocks(block, references);
  return [...textBlocks(type, block, references), ...blocksOfEntities(block, references)];
};

/** @returns the picture of the cover, which can be a video; its size only together with the picture itself */
const coverOf = (
  cover: JsonRecord,
  references: ArticleReferences,
): Pick<Article, 'cover_url' | 'cover_width' | 'cover_height'> => {
  const info = asRecord(cover['media_info']) ?? references.media(cover['media_id']) ?? {};
  const picture = asWebUrl(info['original_img_url']);
  const url = picture ?? stillOf(info);
  if (url === undefined && Object.keys(cover).length > 0) references.missing.add('article_incomplete');
  const { width, height } = picture === undefined ? { width: undefined, height: undefined } : sizeOf(info);
  return {
    ...optionalMember('cover_url', url),
    ...optionalMember('cover_width', asPositiveInteger(width)),
    ...optionalMember('cover_height', asPositiveInteger(height)),
  };
};

export const mapArticle = (value: unknown, mayInclude: MayInclude): MappedPart<Article | undefined> => {
  const raw = asRecord(value);
  if (raw === undefined) return { value: undefined, codes: [] };
  const content = asRecord(raw['content']);
  const references = createReferences(content?.['entityMap'], raw['media_entities'], mayInclude);
  const cover = coverOf(asRecord(raw['cover_media']) ?? {}, references);
  const blocks = asRecords(content?.['blocks']).flatMap((block) => mapBlock(block, references));
  const article: Article = {
    title: asShortText(raw['title'], 'title') ?? '',
    ...optionalMember('preview_text', asShortText(raw['preview_text'], 'preview')),
    ...cover,
    ...optionalMember('published_at', parseDate(raw['created_at'])),
    ...optionalMember('modified_at', parseDate(raw['modified_at'])),
    blocks,
  };
  return { value: article, codes: [...references.missing] };
};
