// Maps the body of an X article (Draft.js raw content) to blocks. Unknown styles are left out. The text of an unknown block
// becomes a paragraph, and an unknown entity becomes a link or code. What cannot be shown gives a warning.
import type { WarningCode } from '../../contract/warnings.ts';
import { postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, ArticleBlock, Media } from '../../model/post.ts';
import { bestVariant, variantsOf } from '../attachments.ts';
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
import { markIncomplete } from '../media.ts';
import type { MayInclude } from '../repeats.ts';
import { type FindLink, spansOf } from './article-spans.ts';

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

/** A video has its variants and its duration in `video_info` or beside it. */
const mapArticleMedia = (info: JsonRecord): Media | undefined => {
  const image = asWebUrl(info['original_img_url']);
  const size = asRecord(info['original_info']);
  const shared = {
    ...optionalMember('width', asPositiveInteger(info['original_img_width'] ?? size?.['width'])),
    ...optionalMember('height', asPositiveInteger(info['original_img_height'] ?? size?.['height'])),
    ...optionalMember('alt_text', asShortText(info['ext_alt_text'] ?? info['alt_text'], 'caption')),
  };
  if (image !== undefined) return { type: 'photo', url: image, ...shared };
  const video = asRecord(info['video_info']) ?? info;
  const variants = variantsOf(video['variants']);
  const url = bestVariant(variants);
  if (url === undefined) return undefined;
  return {
    type: info['__typename'] === 'ApiGif' || info['type'] === 'animated_gif' ? 'gif' : 'video',
    url,
    ...shared,
    ...optionalMember('duration_ms', asPositiveInteger(video['duration_millis'])),
    ...optionalMember('thumbnail_url', asWebUrl(info['media_url_https'])),
    variants,
  };
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
const INTERNAL = /(?:key|id)$/i;

/** @returns the link of an entity of an unknown type, or its longest text as code */
const unknownBlocks = (type: unknown, data: JsonRecord): ArticleBlock[] => {
  const names = Object.keys(data).filter((name) => !INTERNAL.test(name));
  const urls = names.flatMap((name) => asWebUrl(data[name]) ?? []);
  const [url] = urls;
  if (url !== undefined) return [paragraph(asLine(data['title']) ?? url, url)];
  const texts = names.flatMap((name) => asText(data[name]) ?? []);
  const [text] = texts.sort((a, b) => b.length - a.length);
  const language = asLine(type)?.toLowerCase();
  return text === undefined ? [] : [{ type: 'code', ...optionalMember('language', language), text }];
};

/** @returns an empty list if the entity cannot be shown */
const entityBlocks = (target: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
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
      return unknownBlocks(target['type'], data);
  }
};

/** Entities of other types are parts of a text: links, emoji. */
const BLOCK_ENTITIES: ReadonlySet<unknown> = new Set(['MEDIA', 'MARKDOWN', 'TWEET', 'DIVIDER']);

const blocksOfEntities = (
  block: JsonRecord,
  references: ArticleReferences,
  isBlock: (type: unknown) => boolean,
): ArticleBlock[] =>
  asRecords(block['entityRanges']).flatMap((raw) => {
    const target = references.entity(raw['key']);
    if (!isBlock(target?.['type'])) return [];
    const blocks = target !== undefined && references.mayInclude(target) ? entityBlocks(target, references) : [];
    if (blocks.length === 0) references.missing.add('article_incomplete');
    return blocks;
  });

/** An atomic block usually has a space as its text, and one entity. */
const atomicBlocks = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const blocks = blocksOfEntities(block, references, () => true);
  const text = (asText(block['text']) ?? '').trim();
  return blocks.length > 0 || text === '' ? blocks : [paragraph(text)];
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
  const others = blocksOfEntities(block, references, (entity) => BLOCK_ENTITIES.has(entity));
  return [...textBlocks(type, block, references), ...others];
};

export const mapArticle = (value: unknown, mayInclude: MayInclude): Article | undefined => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  const content = asRecord(raw['content']);
  const references = createReferences(content?.['entityMap'], raw['media_entities'], mayInclude);
  const cover = asRecord(asRecord(raw['cover_media'])?.['media_info']);
  const blocks = asRecords(content?.['blocks']).flatMap((block) => mapBlock(block, references));
  return {
    title: asShortText(raw['title'], 'title') ?? '',
    ...optionalMember('preview_text', asShortText(raw['preview_text'], 'preview')),
    ...optionalMember('cover_url', asWebUrl(cover?.['original_img_url'])),
    ...optionalMember('published_at', parseDate(raw['created_at'])),
    ...optionalMember('modified_at', parseDate(raw['modified_at'])),
    blocks: markIncomplete(blocks, [...references.missing]),
  };
};
