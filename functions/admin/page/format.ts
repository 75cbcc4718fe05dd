// Formats labels, sentences and times for the dashboard.

/** Anyone can choose a label: U+2068 and U+2069 isolate right-to-left text and direction overrides in it. */
export const isolateLabel = (label: string): string => `“\u2068${label}\u2069”`;

export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** In UTC, like every time on the page. */
export const timeOfDay = (instant: string, secondsLater = 0): string =>
  new Date(Date.parse(instant) + secondsLater * 1000).toISOString().slice(11, 19);
