const MAX_NAME = 60;

/** An unknown name may be a pasted text of any length. */
export const shortName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** The edit distance of Levenshtein. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const substituted = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(substituted, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The part of a name is nearer than every other name. */
const remoteness = (from: string, to: string): number => {
  const isPart = from.length > 3 && (from.includes(to) || to.includes(from));
  return distance(from, to) - (isPart ? 100 : 0);
};

/** @returns the name that differs least, apart from case and separators */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const remotenessOf = (other: string): number => remoteness(normalized(shortName(name)), normalized(other));
  return known.toSorted((a, b) => remotenessOf(a) - remotenessOf(b))[0];
};
