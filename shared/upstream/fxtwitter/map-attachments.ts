// Maps media, polls and cards of FxTwitter to the model.
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Broadcast, Card, Media, Poll } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import {
  asArray,
  asCount,
  asDomain,
  asNumber,
  asPositiveInteger,
  asText,
  asWebUrl,
  optionalMember,
  parseDate,
} from '../json-readers.ts';

const contentTypes: ReadonlyMap<unknown, string> = new Map([
  ['mp4', 'video/mp4'],
  ['m3u8', 'application/x-mpegURL'],
  ['webm', 'video/webm'],
]);

type Variant = NonNullable<Media['variants']>[number];

const mapVariants = (formats: readonly unknown[]): Variant[] => {
  const variants: Variant[] = [];
  for (const entry of formats) {
    const format = asRecord(entry);
    const url = asWebUrl(format?.['url']);
    if (format === undefined || url === undefined) continue;
    const variant: Variant = { url };
    const contentType = contentTypes.get(format['container']);
    const bitrate = asPositiveInteger(format['bitrate']);
    if (contentType !== undefined) variant.content_type = contentType;
    if (bitrate !== undefined) variant.bitrate = bitrate;
    variants.push(variant);
  }
  return variants;
};

type MapUser = (value: unknown) => User | undefined;

export const mapMedia = (raw: JsonRecord, mapUser: MapUser): Media | undefined => {
  const url = asWebUrl(raw['url']);
  const { type } = raw;
  if (url === undefined || (type !== 'photo' && type !== 'video' && type !== 'gif')) return undefined;
  const media: Media = { type, url };
  const width = asPositiveInteger(raw['width']);
  const height = asPositiveInteger(raw['height']);
  const alt = asText(raw['altText']);
  const duration = typeof raw['duration'] === 'number' ? asPositiveInteger(raw['duration'] * 1000) : undefined;
  const still = asWebUrl(raw['thumbnail_url']);
  const variants = mapVariants(asArray(raw['formats']));
  if (width !== undefined) media.width = width;
  if (height !== undefined) media.height = height;
  if (alt !== undefined) media.alt_text = alt;
  if (duration !== undefined) media.duration_ms = duration;
  if (still !== undefined) media.thumbnail_url = still;
  if (variants.length > 0) media.variants = variants;
  const publisher = mapUser(raw['publisher']);
  if (publisher !== undefined) media.publisher = publisher;
  return media;
};

const percentage = (value: unknown): number | null => {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= 100 ? number : null;
};

export const mapPoll = (value: unknown, now: number): Poll | undefined => {
  const raw = asRecord(value);
  if (raw === undefined) return undefined;
  const choices = asArray(raw['choices']).flatMap((entry) => {
    const choice = asRecord(entry);
    if (choice === undefined) return [];
    return [
      {
        label: asText(choice['label']) ?? '',
        votes: asCount(choice['count']),
        percentage: percentage(choice['percentage']),
      },
    ];
  });
  const endsAt = parseDate(raw['ends_at']);
  return {
    choices,
    total_votes: asCount(raw['total_votes']),
    ...optionalMember('ends_at', endsAt),
    ...optionalMember('closed', endsAt === undefined ? undefined : Date.parse(endsAt) <= now),
  };
};

/** Broadcasts have thumbnails in several sizes. */
const broadcastThumbnail = (broadcast: JsonRecord): string | undefined =>
  asWebUrl(asRecord(asRecord(broadcast['thumbnail'])?.['original'])?.['url']);

const broadcastStates: ReadonlyMap<unknown, string> = new Map([
  ['LIVE', 'live'],
  ['ENDED', 'ended'],
]);

export const mapBroadcast = (raw: JsonRecord): Broadcast | undefined => {
  const broadcast = asRecord(asRecord(raw['media'])?.['broadcast']);
  const url = asWebUrl(broadcast?.['url']);
  if (broadcast === undefined || url === undefined) return undefined;
  return {
    url,
    ...optionalMember('state', broadcastStates.get(broadcast['state'])),
    ...optionalMember('thumbnail_url', broadcastThumbnail(broadcast)),
  };
};

export const mapCard = (raw: JsonRecord): Card | undefined => {
  const card = asRecord(raw['card']);
  const url = asWebUrl(card?.['url']);
  if (card !== undefined && url !== undefined) {
    return {
      url,
      ...optionalMember('title', asText(card['title'])),
      ...optionalMember('description', asText(card['description'])),
      ...optionalMember('domain', asDomain(card['domain'])),
      ...optionalMember('image_url', asWebUrl(asRecord(card['image'])?.['url'])),
    };
  }
  // A broadcast, or a player of another site such as YouTube, becomes a card.
  const media = asRecord(raw['media']);
  const player = asRecord(media?.['broadcast']) ?? asRecord(media?.['external']);
  const playerUrl = asWebUrl(player?.['url']);
  if (player === undefined || playerUrl === undefined) return undefined;
  return {
    url: playerUrl,
    ...optionalMember('title', asText(player['title'])),
    ...optionalMember('image_url', asWebUrl(player['thumbnail_url']) ?? broadcastThumbnail(player)),
  };
};
