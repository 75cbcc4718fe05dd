import { editDistance } from '../../shared/model/edit-distance.ts';

const MAX_NAME = 60;

/** An unknown name may be a pasted text of any length. */
export const shortName = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The part of a name is nearer than every other name. */
const remoteness = (from: string, to: string): number => {
  const isPart = from.length > 3 && (from.includes(to) || to.includes(from));
  return editDistance(from, to) - (isPart ? 100 : 0);
};

/** @returns the name that differs least, apart from case and separators */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const remotenessOf = (other: string): number => remoteness(normalized(shortName(name)), normalized(other));
  return known.toSorted((a, b) => remotenessOf(a) - remotenessOf(b))[0];
};
