// Media, polls and articles of the official API -> model.
import type { Article, Media, Poll } from '../../model/post.ts';
import { bestVariant, mediaTypes, originalPhoto, tally, variantsOf } from '../attachments.ts';
import { count, httpDate, list, optional, positiveInteger, type RawRecord, record, text, webAddress } from '../wire.ts';

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
    return url === undefined ? undefined : { type, url: originalPhoto(url), ...shared };
  }
  const variants = variantsOf(raw['variants'], 'bit_rate');
  const url = bestVariant(variants);
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

export const mapPoll = (raw: RawRecord, now: number): Poll => {
  const options = list(raw['options']).flatMap((entry) => {
    const option = record(entry);
    return option === undefined ? [] : [{ label: text(option['label']) ?? '', votes: count(option['votes']) }];
  });
  const endsAt = httpDate(raw['end_datetime']);
  const isOver = endsAt === undefined ? undefined : Date.parse(endsAt) <= now;
  return {
    ...tally(options),
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
