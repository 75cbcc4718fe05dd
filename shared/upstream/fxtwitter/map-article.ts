// The body of an X article (Draft.js raw content) -> blocks. Unknown blocks, styles and entities are left out;
// text never is.
import { parseId, postUrl } from '../../model/handle.ts';
import type { Article, ArticleBlock, ArticleSpan, Media } from '../../model/post.ts';
import { list, optional, positiveInteger, type RawRecord, record, text, webAddress } from '../wire.ts';

type Style = 'bold' | 'italic' | 'strikethrough';

interface Run {
  readonly start: number;
  readonly end: number;
  readonly style?: Style;
  readonly url?: string;
}

const styleNames: Readonly<Record<string, Style>> = { bold: 'bold', italic: 'italic', strikethrough: 'strikethrough' };

const range = (raw: RawRecord): { start: number; end: number } | undefined => {
  const { offset, length } = raw;
  return typeof offset === 'number' && typeof length === 'number' && offset >= 0 && length > 0
    ? { start: offset, end: offset + length }
    : undefined;
};

/** `entityMap` is an array of key and value; found by key, never by position; keys can dangle. */
const entityFinder = (entityMap: unknown): ((key: unknown) => RawRecord | undefined) => {
  const byKey = new Map(
    list(entityMap).flatMap((entry) => {
      const raw = record(entry);
      const value = record(raw?.['value']);
      return raw === undefined || value === undefined ? [] : [[String(raw['key']), value] as const];
    }),
  );
  return (key) => byKey.get(String(key));
};

const runsOf = (block: RawRecord, entity: (key: unknown) => RawRecord | undefined): Run[] => {
  const styles = list(block['inlineStyleRanges']).flatMap((entry): Run[] => {
    const raw = record(entry);
    const style = styleNames[(text(raw?.['style']) ?? '').toLowerCase()];
    const at = raw && range(raw);
    return style === undefined || at === undefined ? [] : [{ ...at, style }];
  });
  const links = list(block['entityRanges']).flatMap((entry): Run[] => {
    const raw = record(entry);
    const target = entity(raw?.['key']);
    const url = target?.['type'] === 'LINK' ? webAddress(record(target['data'])?.['url']) : undefined;
    const at = raw && range(raw);
    return url === undefined || at === undefined ? [] : [{ ...at, url }];
  });
  // Where an entity says nothing, the block itself may know of links.
  const bare = list(record(block['data'])?.['urls']).flatMap((entry): Run[] => {
    const raw = record(entry);
    const url = webAddress(raw?.['text']);
    const at = raw && range({ offset: raw['fromIndex'], length: Number(raw['toIndex']) - Number(raw['fromIndex']) });
    return url === undefined || at === undefined ? [] : [{ ...at, url }];
  });
  return [...styles, ...links, ...bare];
};

const isInsideSurrogatePair = (content: string, index: number): boolean =>
  /[\udc00-\udfff]/.test(content[index] ?? '') && /[\ud800-\udbff]/.test(content[index - 1] ?? '');

const spansOf = (block: RawRecord, entity: (key: unknown) => RawRecord | undefined): ArticleSpan[] => {
  const content = text(block['text']) ?? '';
  const runs = runsOf(block, entity);
  // Offsets are UTF-16 units; one that would cut a character is moved, never obeyed.
  const cut = (index: number): number =>
    Math.min(isInsideSurrogatePair(content, index) ? index + 1 : index, content.length);
  const edges = [...new Set([0, content.length, ...runs.flatMap(({ start, end }) => [cut(start), cut(end)])])].sort(
    (a, b) => a - b,
  );
  return edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1] ?? content.length;
    const covering = runs.filter((run) => cut(run.start) <= start && cut(run.end) >= end);
    const has = (style: Style): boolean => covering.some((run) => run.style === style);
    return {
      text: content.slice(start, end),
      ...(has('bold') && { bold: true as const }),
      ...(has('italic') && { italic: true as const }),
      ...(has('strikethrough') && { strikethrough: true as const }),
      ...optional('url', covering.find((run) => run.url !== undefined)?.url),
    };
  });
};

const mapArticleMedia = (id: unknown, mediaEntities: readonly unknown[]): Media | undefined => {
  const found = mediaEntities.map(record).find((entry) => entry?.['media_id'] === id);
  const info = record(found?.['media_info']);
  if (info === undefined) return undefined;
  const image = webAddress(info['original_img_url']);
  const size = {
    ...optional('width', positiveInteger(info['original_img_width'])),
    ...optional('height', positiveInteger(info['original_img_height'])),
  };
  if (image !== undefined) return { type: 'photo', url: image, ...size };
  const videos = list(info['variants'])
    .map(record)
    .flatMap((variant) => {
      const url = webAddress(variant?.['url']);
      return url === undefined || variant?.['content_type'] !== 'video/mp4'
        ? []
        : [{ url, bitrate: positiveInteger(variant['bit_rate']) ?? 0 }];
    });
  const best = videos.sort((a, b) => b.bitrate - a.bitrate)[0];
  return best === undefined ? undefined : { type: 'video', url: best.url };
};

/** Bounded, so that a wall of backticks is not compared with itself over and over. */
const FENCED = /^\s*(`{3,20}|~{3,20})([^\n`]*)\n([\s\S]*?)\n?\1\s*$/;

const codeBlock = (markdown: string): ArticleBlock => {
  const fenced = FENCED.exec(markdown);
  if (fenced === null) return { type: 'code', text: markdown };
  return { type: 'code', ...optional('language', text(fenced[2]?.trim())), text: fenced[3] ?? '' };
};

const atomicBlocks = (
  block: RawRecord,
  entity: (key: unknown) => RawRecord | undefined,
  media: readonly unknown[],
): ArticleBlock[] =>
  list(block['entityRanges']).flatMap((entry): ArticleBlock[] => {
    const target = entity(record(entry)?.['key']);
    const data = record(target?.['data']);
    switch (target?.['type']) {
      case 'MEDIA':
        return list(data?.['mediaItems']).flatMap((item) => {
          const mapped = mapArticleMedia(record(item)?.['mediaId'], media);
          return mapped === undefined ? [] : [{ type: 'media', media: mapped }];
        });
      case 'MARKDOWN': {
        const markdown = text(data?.['markdown']);
        return markdown === undefined ? [] : [codeBlock(markdown)];
      }
      case 'TWEET': {
        const id = parseId(text(data?.['tweetId']) ?? '');
        return id === undefined ? [] : [{ type: 'post', id, url: postUrl(id) }];
      }
      case 'DIVIDER':
        return [{ type: 'divider' }];
      default:
        return [];
    }
  });

const headingLevels: Readonly<Record<string, number>> = {
  'header-one': 1,
  'header-two': 2,
  'header-three': 3,
  'header-four': 4,
  'header-five': 5,
  'header-six': 6,
};

const mapBlock = (
  value: unknown,
  entity: (key: unknown) => RawRecord | undefined,
  media: readonly unknown[],
): ArticleBlock[] => {
  const block = record(value);
  if (block === undefined) return [];
  const type = text(block['type']) ?? 'unstyled';
  if (type === 'atomic') return atomicBlocks(block, entity, media);
  const content = text(block['text']);
  if (content === undefined || content.trim() === '') return [];
  if (type === 'code-block') return [{ type: 'code', text: content }];
  const spans = spansOf(block, entity);
  const level = headingLevels[type];
  if (level !== undefined) return [{ type: 'heading', level, spans }];
  if (type === 'blockquote') return [{ type: 'quote', spans }];
  if (type === 'ordered-list-item') return [{ type: 'list_item', ordered: true, spans }];
  if (type === 'unordered-list-item') return [{ type: 'list_item', ordered: false, spans }];
  return [{ type: 'paragraph', spans }];
};

export const mapArticle = (value: unknown): Article | undefined => {
  const raw = record(value);
  if (raw === undefined) return undefined;
  const content = record(raw['content']);
  const entity = entityFinder(content?.['entityMap']);
  const media = list(raw['media_entities']);
  const cover = record(record(raw['cover_media'])?.['media_info']);
  return {
    title: text(raw['title']) ?? '',
    ...optional('preview_text', text(raw['preview_text'])),
    ...optional('cover_url', webAddress(cover?.['original_img_url'])),
    blocks: list(content?.['blocks']).flatMap((block) => mapBlock(block, entity, media)),
  };
};
