// Media, polls and articles of the official API -> model.
import type { Article, Media, Poll } from '../../model/post.ts';
import { count, httpDate, list, optional, positiveInteger, type RawRecord, record, text, webAddress } from '../wire.ts';

const mediaTypes: ReadonlyMap<unknown, Media['type']> = new Map([
  ['photo', 'photo'],
  ['video', 'video'],
  ['animated_gif', 'gif'],
]);

const mapVariants = (value: unknown): NonNullable<Media['variants']> =>
  list(value).flatMap((entry) => {
    const variant = record(entry);
    const url = webAddress(variant?.['url']);
    if (variant === undefined || url === undefined) return [];
    return [
      {
        url,
        ...optional('content_type', text(variant['content_type'])),
        ...optional('bitrate', positiveInteger(variant['bit_rate'])),
      },
    ];
  });

const bestOf = (variants: NonNullable<Media['variants']>): string | undefined => {
  const playable = variants.filter(({ url, content_type }) => content_type === 'video/mp4' && !url.includes('/hevc/'));
  return [...playable].sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0]?.url ?? variants[0]?.url;
};

export const mapMedia = (raw: RawRecord): Media | undefined => {
  const type = mediaTypes.get(raw['type']);
  if (type === undefined) return undefined;
  const shared = {
    ...optional('width', positiveInteger(raw['width'])),
    ...optional('height', positiveInteger(raw['height'])),
    ...optional('alt_text', text(raw['alt_text'])),
  };
  if (type === 'photo') {
    const url = webAddress(raw['url']);
    return url === undefined ? undefined : { type, url: url.includes('?') ? url : `${url}?name=orig`, ...shared };
  }
  const variants = mapVariants(raw['variants']);
  const url = bestOf(variants);
  if (url === undefined) return undefined;
  return {
    type,
    url,
    ...shared,
    ...optional('duration_ms', positiveInteger(raw['duration_ms'])),
    ...optional('thumbnail_url', webAddress(raw['preview_image_url'])),
    variants,
  };
};

/** In tenths of a percent. */
const shareOf = (votes: number | null, total: number | null): number | null => {
  if (votes === null || total === null) return null;
  return total === 0 ? 0 : Math.round((votes / total) * 1000) / 10;
};

export const mapPoll = (raw: RawRecord, now: number): Poll => {
  const options = list(raw['options']).flatMap((entry) => {
    const option = record(entry);
    return option === undefined ? [] : [{ label: text(option['label']) ?? '', votes: count(option['votes']) }];
  });
  const known = options.length > 0 && options.every(({ votes }) => votes !== null);
  const total = known ? count(options.reduce((sum, { votes }) => sum + (votes ?? 0), 0)) : null;
  const endsAt = httpDate(raw['end_datetime']);
  const isOver = endsAt === undefined ? undefined : Date.parse(endsAt) <= now;
  return {
    choices: options.map(({ label, votes }) => ({ label, votes, percentage: shareOf(votes, total) })),
    total_votes: total,
    ...optional('ends_at', endsAt),
    ...optional('closed', raw['voting_status'] === 'closed' ? true : isOver),
  };
};

/** Title and preview: the fields that are asked for do not hold the body. */
export const mapArticle = (value: unknown): Article | undefined => {
  const raw = record(value);
  const title = text(raw?.['title']);
  if (raw === undefined || title === undefined) return undefined;
  return { title, ...optional('preview_text', text(raw['preview_text'])), blocks: [] };
};
