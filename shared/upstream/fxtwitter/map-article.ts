// The body of an X article (Draft.js raw content) -> blocks. Unknown blocks, styles and entities are left out;
// text never is.
import { parseId, postUrl } from '../../model/handle.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, ArticleBlock, ArticleSpan, Media } from '../../model/post.ts';
import { asArray, asPositiveInteger, asRecords, asText, asWebUrl, optionalMember } from '../json-readers.ts';
import { markIncomplete } from '../media.ts';

type Style = 'bold' | 'italic' | 'strikethrough';

/** UTF-16 units of the text of a block. */
interface Run {
  readonly start: number;
  readonly end: number;
}

const styleOf: ReadonlyMap<string, Style> = new Map([
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['strikethrough', 'strikethrough'],
]);

/** undefined: nowhere in a text. */
const between = (start: unknown, end: unknown): Pick<Run, 'start' | 'end'> | undefined =>
  typeof start === 'number' && typeof end === 'number' && Number.isSafeInteger(start) && start >= 0 && end > start
    ? { start, end: Math.floor(end) }
    : undefined;

const range = ({ offset, length }: JsonRecord): Pick<Run, 'start' | 'end'> | undefined =>
  typeof offset === 'number' && typeof length === 'number' ? between(offset, offset + length) : undefined;

/** Keys are strings in one place and numbers in another. */
const keyOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;

/** The first record of each key. */
const byKey = (entries: unknown, key: string): ReadonlyMap<string, JsonRecord> => {
  const found = new Map<string, JsonRecord>();
  for (const raw of asRecords(entries)) {
    const name = keyOf(raw[key]);
    if (name !== undefined && !found.has(name)) found.set(name, raw);
  }
  return found;
};

/** Blocks may share an entity. Each shows it, but never so often that an answer is much larger than what it is made of. */
const MAX_TIMES_SHOWN = 16;

/** What the blocks of one article refer to. */
interface Referred {
  /** `entityMap` is an array of key and value; found by key, never by position; keys can dangle. */
  entity(key: unknown): JsonRecord | undefined;
  /** The same for what a block shows in full; undefined once it was shown often enough. */
  shown(key: unknown): JsonRecord | undefined;
  media(id: unknown): JsonRecord | undefined;
  /** Media that cannot be shown was left out. */
  isIncomplete: boolean;
}

const referredTo = (entityMap: unknown, mediaEntities: unknown): Referred => {
  const entities = byKey(entityMap, 'key');
  const media = byKey(mediaEntities, 'media_id');
  const times = new Map<JsonRecord, number>();
  const entity: Referred['entity'] = (key) => asRecord(entities.get(keyOf(key) ?? '')?.['value']);
  return {
    entity,
    shown: (key) => {
      const found = entity(key);
      if (found === undefined) return undefined;
      const time = (times.get(found) ?? 0) + 1;
      times.set(found, time);
      return time > MAX_TIMES_SHOWN ? undefined : found;
    },
    media: (id) => asRecord(media.get(keyOf(id) ?? '')?.['media_info']),
    isIncomplete: false,
  };
};

interface Runs {
  readonly styles: readonly (Run & { readonly style: Style })[];
  /** Of two that overlap the first counts. */
  readonly links: readonly (Run & { readonly url: string })[];
}

const runsOf = (block: JsonRecord, { entity }: Referred): Runs => {
  const styles = asRecords(block['inlineStyleRanges']).flatMap((raw) => {
    const style = styleOf.get((asText(raw['style']) ?? '').toLowerCase());
    const at = range(raw);
    return style === undefined || at === undefined ? [] : [{ ...at, style }];
  });
  const links = asRecords(block['entityRanges']).flatMap((raw) => {
    const target = entity(raw['key']);
    const url = target?.['type'] === 'LINK' ? asWebUrl(asRecord(target['data'])?.['url']) : undefined;
    const at = range(raw);
    return url === undefined || at === undefined ? [] : [{ ...at, url }];
  });
  // Where an entity says nothing, the block itself may know of links.
  const bare = asRecords(asRecord(block['data'])?.['urls']).flatMap((raw) => {
    const url = asWebUrl(raw['text']);
    const at = between(raw['fromIndex'], raw['toIndex']);
    return url === undefined || at === undefined ? [] : [{ ...at, url }];
  });
  return { styles, links: [...links, ...bare] };
};

const LOW_SURROGATE = /[\udc00-\udfff]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

const isInsideSurrogatePair = (content: string, index: number): boolean =>
  LOW_SURROGATE.test(content.charAt(index)) && HIGH_SURROGATE.test(content.charAt(index - 1));

/** Offsets are UTF-16 units; one that would cut a character is moved, never obeyed. */
const cut = (content: string, index: number): number =>
  Math.min(isInsideSurrogatePair(content, index) ? index + 1 : index, content.length);

/** Which segments each run covers. @param edges where segments begin and end, ascending */
const segmentsOf = (content: string, edges: readonly number[]): ((run: Run) => readonly [from: number, to: number]) => {
  const segmentAt = new Map(edges.map((edge, index) => [edge, index]));
  const at = (index: number): number => segmentAt.get(cut(content, index)) ?? 0;
  return ({ start, end }) => [at(start), at(end)];
};

/** The style of each segment: how many runs cover it, counted where they begin and end. */
const covered = (segments: number, runs: readonly (readonly [from: number, to: number])[]): readonly boolean[] => {
  const changes = new Int32Array(segments + 1);
  for (const [from, to] of runs) {
    changes[from] = (changes[from] ?? 0) + 1;
    changes[to] = (changes[to] ?? 0) - 1;
  }
  let depth = 0;
  return Array.from(changes.subarray(0, segments), (change) => {
    depth += change;
    return depth > 0;
  });
};

/** The first of the links that cover each segment. A segment that has its link is skipped by all that follow. */
const linked = (
  segments: number,
  links: readonly (readonly [from: number, to: number, url: string])[],
): readonly (string | undefined)[] => {
  const urls: (string | undefined)[] = new Array(segments).fill(undefined);
  const free = Array.from({ length: segments + 1 }, (_, index) => index);
  const nextFree = (from: number): number => {
    let at = from;
    for (let next = free[at] ?? at; next !== at; next = free[at] ?? at) {
      free[at] = free[next] ?? next;
      at = next;
    }
    return at;
  };
  for (const [from, to, url] of links) {
    for (let at = nextFree(from); at < to; at = nextFree(at)) {
      urls[at] = url;
      free[at] = at + 1;
    }
  }
  return urls;
};

const spansOf = (block: JsonRecord, referred: Referred): ArticleSpan[] => {
  const content = asText(block['text']) ?? '';
  const { styles, links } = runsOf(block, referred);
  if (styles.length === 0 && links.length === 0) return [{ text: content }];
  const ends = [...styles, ...links].flatMap(({ start, end }) => [cut(content, start), cut(content, end)]);
  const edges = [...new Set([0, content.length, ...ends])].sort((a, b) => a - b);
  const segments = edges.length - 1;
  const at = segmentsOf(content, edges);
  const has = (style: Style): readonly boolean[] =>
    covered(segments, styles.filter((run) => run.style === style).map(at));
  const [bold, italic, strikethrough] = [has('bold'), has('italic'), has('strikethrough')];
  const urls = linked(
    segments,
    links.map((run) => [...at(run), run.url] as const),
  );
  return Array.from({ length: segments }, (_, index) => ({
    text: content.slice(edges[index], edges[index + 1]),
    ...(bold[index] && { bold: true as const }),
    ...(italic[index] && { italic: true as const }),
    ...(strikethrough[index] && { strikethrough: true as const }),
    ...optionalMember('url', urls[index]),
  }));
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

/** Bounded, so that a wall of backticks is not compared with itself over and over. */
const FENCED = /^\s*(`{3,20}|~{3,20})([^\n`]*)\n([\s\S]*?)\n?\1\s*$/;

const codeBlock = (markdown: string): ArticleBlock => {
  const fenced = FENCED.exec(markdown);
  if (fenced === null) return { type: 'code', text: markdown };
  return { type: 'code', ...optionalMember('language', asText(fenced[2]?.trim())), text: fenced[3] ?? '' };
};

const mediaBlocks = (items: unknown, referred: Referred): ArticleBlock[] =>
  asArray(items).flatMap((item) => {
    const info = referred.media(asRecord(item)?.['mediaId']);
    const media = info && mapArticleMedia(info);
    if (media === undefined) referred.isIncomplete = true;
    return media === undefined ? [] : [{ type: 'media', media }];
  });

const atomicBlocks = (block: JsonRecord, referred: Referred): ArticleBlock[] =>
  asRecords(block['entityRanges']).flatMap((raw): ArticleBlock[] => {
    const target = referred.shown(raw['key']);
    const data = asRecord(target?.['data']);
    switch (target?.['type']) {
      case 'MEDIA':
        return mediaBlocks(data?.['mediaItems'], referred);
      case 'MARKDOWN': {
        const markdown = asText(data?.['markdown']);
        return markdown === undefined ? [] : [codeBlock(markdown)];
      }
      case 'TWEET': {
        const id = parseId(asText(data?.['tweetId']) ?? '');
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

const mapBlock = (block: JsonRecord, referred: Referred): ArticleBlock[] => {
  const type = asText(block['type']) ?? 'unstyled';
  if (type === 'atomic') return atomicBlocks(block, referred);
  const content = asText(block['text']);
  if (content === undefined || content.trim() === '') return [];
  if (type === 'code-block') return [{ type: 'code', text: content }];
  const spans = spansOf(block, referred);
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
  const referred = referredTo(content?.['entityMap'], raw['media_entities']);
  const cover = asRecord(asRecord(raw['cover_media'])?.['media_info']);
  const blocks = asRecords(content?.['blocks']).flatMap((block) => mapBlock(block, referred));
  return {
    title: asText(raw['title']) ?? '',
    ...optionalMember('preview_text', asText(raw['preview_text'])),
    ...optionalMember('cover_url', asWebUrl(cover?.['original_img_url'])),
    blocks: referred.isIncomplete ? markIncomplete(blocks) : blocks,
  };
};
