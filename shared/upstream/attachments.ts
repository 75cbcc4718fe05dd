// Maps the parts of media and polls that the syndication CDN and the official API of X have in common.
import { asRecord } from '../model/json.ts';
import type { Media, Poll } from '../model/post.ts';
import { asArray, asPositiveInteger, asShortText, asWebUrl, optionalMember } from './json-readers.ts';

export const xMediaTypes: ReadonlyMap<unknown, Media['type']> = new Map([
  ['photo', 'photo'],
  ['video', 'video'],
  ['animated_gif', 'gif'],
]);

/** @returns the URL of the uploaded picture; a URL with a query already names a size */
export const originalPhoto = (url: string): string => (url.includes('?') ? url : `${url}?name=orig`);

type Variants = NonNullable<Media['variants']>;

const MP4_FILE = /\.mp4(?:[?#]|$)/i;

/** X names the bit rate in two ways, in bits per second, and leaves the type out in some articles. */
export const variantsOf = (value: unknown): Variants =>
  asArray(value).flatMap((entry) => {
    const variant = asRecord(entry);
    const url = asWebUrl(variant?.['url']);
    if (variant === undefined || url === undefined) return [];
    return [
      {
        url,
        ...optionalMember(
          'content_type',
          asShortText(variant['content_type'], 'line') ?? (MP4_FILE.test(url) ? 'video/mp4' : undefined),
        ),
        ...optionalMember('bitrate', asPositiveInteger(variant['bitrate'] ?? variant['bit_rate'])),
      },
    ];
  });

/** @returns the MP4 variant with the highest bit rate; HEVC is excluded, because few browsers play it */
export const bestVariant = (variants: Variants): string | undefined => {
  const playable = variants.filter(({ url, content_type }) => content_type === 'video/mp4' && !url.includes('/hevc/'));
  return [...playable].sort((a, b) => (b.bitrate ?? 0) - (a.bitrate ?? 0))[0]?.url ?? variants[0]?.url;
};

/** @returns a percentage with one decimal */
const percentageOf = (votes: number | null, total: number | null): number | null => {
  if (votes === null || total === null) return null;
  return total === 0 ? 0 : Math.round((votes / total) * 1000) / 10;
};

/** Adds percentages and the total. They are null if the votes of an option are not known. */
export const pollResults = (
  options: readonly Pick<Poll['choices'][number], 'label' | 'votes'>[],
): Pick<Poll, 'choices' | 'total_votes'> => {
  const hasVotes = options.length > 0 && options.every(({ votes }) => votes !== null);
  const sum = options.reduce((soFar, { votes }) => soFar + (votes ?? 0), 0);
  const total = hasVotes && Number.isSafeInteger(sum) ? sum : null;
  return {
    choices: options.map(({ label, votes }) => ({ label, votes, percentage: percentageOf(votes, total) })),
    total_votes: total,
  };
};
