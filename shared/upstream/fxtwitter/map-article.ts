// Maps the body of an X article (Draft.js raw content) to blocks. Unknown styles and entities are left out. The text of an
// unknown block becomes a paragraph.
import { postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, ArticleBlock, Media } from '../../model/post.ts';
import {
  asArray,
  asId,
  asPositiveInteger,
  asRecords,
  asText,
  asWebUrl,
  optionalMember,
  parseDate,
} from '../json-readers.ts';
import { markIncomplete } from '../media.ts';
import { type FindEntity, spansOf } from './article-spans.ts';

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

/** Blocks can share an entity. The bound keeps an answer from being much larger than the response of the provider. */
const MAX_USES = 16;

/** The entities and the media to which the blocks of an article refer. */
interface ArticleReferences {
  /** `entityMap` is an array of keys and values in any order. A block can refer to a missing key. */
  readonly entity: FindEntity;
  /** Finds an entity that a block includes. @returns undefined after MAX_USES uses of the entity */
  readonly takeEntity: FindEntity;
  media(id: unknown): JsonRecord | undefined;
  /** Unsupported media was left out. */
  isIncomplete: boolean;
}

const createReferences = (entityMap: unknown, mediaEntities: unknown): ArticleReferences => {
  const entities = byKey(entityMap, 'key');
  const media = byKey(mediaEntities, 'media_id');
  const times = new Map<JsonRecord, number>();
  const entity: FindEntity = (key) => asRecord(entities.get(keyOf(key) ?? '')?.['value']);
  return {
    entity,
    takeEntity: (key) => {
      const found = entity(key);
      if (found === undefined) return undefined;
      const uses = (times.get(found) ?? 0) + 1;
      times.set(found, uses);
      return uses > MAX_USES ? undefined : found;
    },
    media: (id) => asRecord(media.get(keyOf(id) ?? '')?.['media_info']),
    isIncomplete: false,
  };
};

const mapArticleMedia = (info: JsonRecord): Media | undefined => {
  const image = asWebUrl(info['original_img_url']);
  const size = {
    ...optionalMember('width', asPositiveInteger(info['original_img_width'])),
    ...optionalMember('height', asPositiveInteger(info['original_img_height'])),
  };
  if (image !== undefined) return { type: 'photo', url: image, ...size };
  const videos = asRecords(info['variants']).flatMap((variant) => {
    const url = asWebUrl(variant['url']);
    return url === undefined || variant['content_type'] !== 'video/mp4'
      ? []
      : [{ url, bitrate: asPositiveInteger(variant['bit_rate']) ?? 0 }];
  });
  const best = videos.sort((a, b) => b.bitrate - a.bitrate)[0];
  return best === undefined ? undefined : { type: 'video', url: best.url };
};

/** The bound of 20 keeps the time linear for a long run of backticks. */
const FENCED = /^\s*(`{3,20}|~{3,20})([^\n`]*)\n([\s\S]*?)\n?\1\s*$/;

const codeBlock = (markdown: string): ArticleBlock => {
  const fenced = FENCED.exec(markdown);
  if (fenced === null) return { type: 'code', text: markdown };
  return { type: 'code', ...optionalMember('language', asText(fenced[2]?.trim())), text: fenced[3] ?? '' };
};

const mediaBlocks = (items: unknown, references: ArticleReferences): ArticleBlock[] =>
  asArray(items).flatMap((item) => {
    const info = references.media(asRecord(item)?.['mediaId']);
    const media = info && mapArticleMedia(info);
    if (media === undefined) references.isIncomplete = true;
    return media === undefined ? [] : [{ type: 'media', media }];
  });

const atomicBlocks = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] =>
  asRecords(block['entityRanges']).flatMap((raw): ArticleBlock[] => {
    const target = references.takeEntity(raw['key']);
    const data = asRecord(target?.['data']);
    switch (target?.['type']) {
      case 'MEDIA':
        return mediaBlocks(data?.['mediaItems'], references);
      case 'MARKDOWN': {
        const markdown = asText(data?.['markdown']);
        return markdown === undefined ? [] : [codeBlock(markdown)];
      }
      case 'TWEET': {
        const id = asId(data?.['tweetId']);
        return id === undefined ? [] : [{ type: 'post', id, url: postUrl(id) }];
      }
      case 'DIVIDER':
        return [{ type: 'divider' }];
      default:
        return [];
    }
  });

const headingLevels: ReadonlyMap<string, number> = new Map([
  ['header-one', 1],
  ['header-two', 2],
  ['header-three', 3],
  ['header-four', 4],
  ['header-five', 5],
  ['header-six', 6],
]);

const mapBlock = (block: JsonRecord, references: ArticleReferences): ArticleBlock[] => {
  const type = asText(block['type']) ?? 'unstyled';
  if (type === 'atomic') return atomicBlocks(block, references);
  const content = asText(block['text']);
  if (content === undefined || content.trim() === '') return [];
  if (type === 'code-block') return [{ type: 'code', text: content }];
  const spans = spansOf(block, references.entity);
  const level = headingLevels.get(type);
  if (level !== undefined) return [{ type: 'heading', level, spans }];
  if (type === 'blockquote') return [{ type: 'quote', spans }];
  if (type === 'ordered-list-item') return [{ type: 'list_item', ordered: true, spans }];
  if (type === 'unordered-list-item') return [{ type: 'list_item', ordered: false, spans }];
  return [{ type: 'paragraph', spans }];
};

export const mapArticle = (value: unknown): Article | undefined => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  const content = asRecord(raw['content']);
  const references = createReferences(content?.['entityMap'], raw['media_entities']);
  const cover = asRecord(asRecord(raw['cover_media'])?.['media_info']);
  const blocks = asRecords(content?.['blocks']).flatMap((block) => mapBlock(block, references));
  return {
    title: asText(raw['title']) ?? '',
    ...optionalMember('preview_text', asText(raw['preview_text'])),
    ...optionalMember('cover_url', asWebUrl(cover?.['original_img_url'])),
    ...optionalMember('published_at', parseDate(raw['created_at'])),
    blocks: references.isIncomplete ? markIncomplete(blocks) : blocks,
  };
};
