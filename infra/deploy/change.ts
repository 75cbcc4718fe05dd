// Describes one consequence of a deployment, in words for the operator.

/** The headings of the report, in order. */
export const topics = {
  callers: 'For callers',
  state: 'State',
  permissions: 'Permissions',
  cost: 'Cost',
  operators: 'For operators',
} as const;

export type Topic = keyof typeof topics;

export interface Change {
  readonly topic: Topic;
  /** A sentence without a full stop. */
  readonly text: string;
  /** Such a change cannot be undone, or it hurts users: it needs `--yes`. */
  readonly needsYes?: boolean;
}

/** Joins words as a sentence does, and shortens long lists. */
export const wordList = (words: readonly string[], most = 12): string => {
  const shown = words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
};

export const plural = (count: number, noun: string): string => {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
};
