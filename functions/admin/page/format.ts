// How the page words what it is told.

/** Labels are anybody's: U+2068 and U+2069 keep right-to-left text and overrides to themselves. */
export const isolateLabel = (label: string): string => `“\u2068${label}\u2069”`;

export const pluralize = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** UTC, as every time of the page. */
export const timeOfDay = (instant: string, secondsLater = 0): string =>
  new Date(Date.parse(instant) + secondsLater * 1000).toISOString().slice(11, 19);

export const formatWait = (seconds: number): string =>
  seconds < 120 ? pluralize(seconds, 'second', 'seconds') : `${Math.ceil(seconds / 60)} minutes`;
