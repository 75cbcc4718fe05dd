// Maps media, polls and cards of FxTwitter to the model.
import { BROADCASTER } from '../../model/account-names.ts';
import { asRecord, type JsonRecord } from '../../model/json.ts';
import type { Broadcast, Card, Media, Poll } from '../../model/post.ts';
import type { User } from '../../model/user.ts';
import { type MappedPart, pollEnd, watchPage, youTubeIdOf } from '../attachments.ts';
import {
  asArray,
  asCount,
  asDomain,
  asId,
  asNumber,
  asPositiveInteger,
  asRecords,
  asShortText,
  asWebUrl,
  namedHandle,
  optionalMember,
} from '../json-readers.ts';

const contentTypes: ReadonlyMap<unknown, string> = new Map([
  ['mp4', 'video/mp4'],
  ['m3u8', 'application/x-mpegURL'],
  ['webm', 'video/webm'],
]);

const mapVariants = (formats: unknown): Media['variants'] => {
  const variants: NonNullable<Media['variants']> = [];
  for (const format of asRecords(formats)) {
    const url = asWebUrl(format['url']);
    if (url === undefined) continue;
    const content_type = contentTypes.get(format['container']);
    variants.push({ url, content_type, bitrate: asPositiveInteger(format['bitrate']) });
  }
  return variants.length === 0 ? undefined : variants;
};

type MapUser = (value: unknown) => User | undefined;

export const mapMedia = (raw: JsonRecord, mapUser: MapUser): Media | undefined => {
  const url = asWebUrl(raw['url']);
  const { type } = raw;
  if (url === undefined || (type !== 'photo' && type !== 'video' && type !== 'gif')) return undefined;
  // Absent members are undefined, so that all media have one hidden class in V8. JSON leaves them out.
  return {
    type,
    url,
    width: asPositiveInteger(raw['width']),
    height: asPositiveInteger(raw['height']),
    alt_text: asShortText(raw['altText'], 'caption'),
    duration_ms: typeof raw['duration'] === 'number' ? asPositiveInteger(raw['duration'] * 1000) : undefined,
    thumbnail_url: asWebUrl(raw['thumbnail_url']),
    variants: mapVariants(raw['formats']),
    publisher: mapUser(raw['publisher']),
  };
};

const percentage = (value: unknown): number | null => {
  const number = asNumber(value);
  return number !== undefined && number >= 0 && number <= 100 ? number : null;
};

const MIN_CHOICES = 2;
/** A key of an object that JavaScript moves before all keys that are not numbers. */
const NUMERIC_LABEL = /^(?:0|[1-9][0-9]{0,9})$/;

/** The provider collects votes by label, in an object: numbers come first, and equal labels are one. */
const isUncertain = (choices: Poll['choices']): boolean =>
  choices.length < MIN_CHOICES || choices.some(({ label }) => NUMERIC_LABEL.test(label));

export const mapPoll = (value: unknown, now: number): MappedPart<Poll | undefined> => {
  const raw = asRecord(value);
  if (raw === undefined) return { value: undefined, codes: [] };
  const choices = asArray(raw['choices']).flatMap((entry) => {
    const choice = asRecord(entry);
    if (choice === undefined) return [];
    return [
      {
        label: asShortText(choice['label'], 'line') ?? '',
        votes: asCount(choice['count']),
        percentage: percentage(choice['percentage']),
      },
    ];
  });
  return {
    value: { choices, total_votes: asCount(raw['total_votes']), ...pollEnd(raw['ends_at'], now) },
    codes: isUncertain(choices) ? ['poll_uncertain'] : [],
  };
};

/** Broadcasts have thumbnails in several sizes. */
const broadcastThumbnail = (broadcast: JsonRecord): string | undefined =>
  asWebUrl(asRecord(asRecord(broadcast['thumbnail'])?.['original'])?.['url']);

const broadcastStates: ReadonlyMap<unknown, string> = new Map([
  ['LIVE', 'live'],
  ['ENDED', 'ended'],
]);

const broadcasterOf = (broadcast: JsonRecord): Pick<Broadcast, typeof BROADCASTER> => {
  const raw = asRecord(broadcast['broadcaster']);
  return raw === undefined ? {} : { [BROADCASTER]: { handle: namedHandle(raw['username']), id: asId(raw['id']) } };
};

export const mapBroadcast = (raw: JsonRecord): Broadcast | undefined => {
  const broadcast = asRecord(asRecord(raw['media'])?.['broadcast']);
  const url = asWebUrl(broadcast?.['url']);
  if (broadcast === undefined || url === undefined) return undefined;
  return {
    url,
    ...optionalMember('state', broadcastStates.get(broadcast['state'])),
    ...optionalMember('thumbnail_url', broadcastThumbnail(broadcast)),
    ...broadcasterOf(broadcast),
  };
};

const cardImage = (image: JsonRecord | undefined): Partial<Card> => {
  const url = asWebUrl(image?.['url']);
  if (image === undefined || url === undefined) return {};
  return {
    image_url: url,
    ...optionalMember('image_width', asPositiveInteger(image['width'])),
    ...optionalMember('image_height', asPositiveInteger(image['height'])),
    ...optionalMember('image_alt', asShortText(image['alt'], 'caption')),
  };
};

const linksOf = (raw: JsonRecord) => (): readonly string[] =>
  asRecords(asRecord(raw['raw_text'])?.['facets']).flatMap((facet) => asWebUrl(facet['replacement']) ?? []);

export const mapCard = (raw: JsonRecord): Card | undefined => {
  const card = asRecord(raw['card']);
  const url = asWebUrl(card?.['url']);
  if (card !== undefined && url !== undefined) {
    return {
      url: watchPage(url, linksOf(raw)),
      ...optionalMember('title', asShortText(card['title'], 'title')),
      ...optionalMember('description', asShortText(card['description'], 'caption')),
      ...optionalMember('domain', asDomain(card['domain'])),
      ...cardImage(asRecord(card['image'])),
    };
  }
  // A broadcast, or a player of another site such as YouTube, becomes a card.
  const media = asRecord(raw['media']);
  const player = asRecord(media?.['broadcast']) ?? asRecord(media?.['external']);
  const playerUrl = asWebUrl(player?.['url']);
  if (player === undefined || playerUrl === undefined) return undefined;
  const youTubeId = youTubeIdOf(playerUrl);
  const image_url =
    youTubeId === undefined
      ? (asWebUrl(player['thumbnail_url']) ?? broadcastThumbnail(player))
      : `https://img.youtube.com/vi/${youTubeId}/maxresdefault.jpg`;
  return {
    url: watchPage(playerUrl, linksOf(raw)),
    ...optionalMember('title', asShortText(player['title'], 'title')),
    ...optionalMember('image_url', image_url),
  };
};
