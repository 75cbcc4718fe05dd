// Declares the function that passes pictures and videos on, which a deployment has only if its pictures are proxied.

/** The folder of its function and of its bundle. It serves no route of the API, so it is no row of `lambdas`. */
export const MEDIA = 'media';

/** The paths of its behavior. The files of the service itself have one segment less. */
export const MEDIA_PATTERN = '/assets/*/*';

/** Lambda streams 2 MB a second after the first 6 MB, and the largest part of a video has 25 MB. */
export const MEDIA_TIMEOUT_SECONDS = 60;

export const mediaAlarm = {
  /** The anchor of its paragraph in the runbook. */
  name: 'media-failing',
  meaning: 'Pages are shown without pictures: the function of pictures and videos crashes or runs out of time.',
} as const;
