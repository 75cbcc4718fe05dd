// Formats counts and waiting times for people.

export const pluralize = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const formatWait = (seconds: number): string =>
  seconds < 120 ? pluralize(seconds, 'second', 'seconds') : `${Math.ceil(seconds / 60)} minutes`;
