// Maps media, polls and articles of the official API to the model.
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Article, Media, Poll } from '../../model/post.ts';
import { bestVariant, originalPhoto, pollResults, variantsOf, xMediaTypes } from '../attachments.ts';
import {
  asArray,
  asCount,
  asPositiveInteger,
  asShortText,
  asWebUrl,
  optionalMember,
  parseDate,
} from '../json-readers.ts';

export const mapMedia = (raw: JsonRecord): Media | undefined => {
  const type = xMediaTypes.get(raw['type']);
  if (type === undefined) return undefined;
  const shared = {
    ...optionalMember('width', asPositiveInteger(raw['width'])),
    ...optionalMember('height', asPositiveInteger(raw['height'])),
    ...optionalMember('alt_text', asShortText(raw['alt_text'], 'caption')),
  };
  if (type === 'photo') {
    const url = asWebUrl(raw['url']);
    return url === undefined ? undefined : { type, url: originalPhoto(url), ...shared };
  }
  const variants = variantsOf(raw['variants']);
  const url = bestVariant(variants);
  if (url === undefined) return undefined;
  return {
    type,
    url,
    ...shared,
    ...optionalMember('duration_ms', asPositiveInteger(raw['duration_ms'])),
    ...optionalMember('thumbnail_url', asWebUrl(raw['preview_image_url'])),
    variants,
  };
};

export const mapPoll = (raw: JsonRecord, now: number): Poll => {
  const options = asArray(raw['options']).flatMap((entry) => {
    const option = asRecord(entry);
    return option === undefined
      ? []
      : [{ label: asShortText(option['label'], 'line') ?? '', votes: asCount(option['votes']) }];
  });
  const endsAt = parseDate(raw['end_datetime']);
  const isOver = endsAt === undefined ? undefined : Date.parse(endsAt) <= now;
  return {
    ...pollResults(options),
    ...optionalMember('ends_at', endsAt),
    ...optionalMember('closed', raw['voting_status'] === 'closed' ? true : isOver),
  };
};

/** Maps title and preview, because the requested fields do not include the body. */
export const mapArticle = (value: unknown): Article | undefined => {
  const raw = asRecord(value);
  const title = asShortText(raw?.['title'], 'title');
  if (raw === undefined || title === undefined) return undefined;
  return { title, ...optionalMember('preview_text', asShortText(raw['preview_text'], 'preview')), blocks: [] };
};
