// Numbers the subjects of callers: a fault can concern those of one caller and leave out the others.
import type { Subject } from './surfaces.ts';

/** Ids start with this digit, and handles with this letter, if they belong to the caller whose subjects fail. */
const FAILING = { digit: '8', letter: 'm' };

const subject = (digit: string, letter: string, index: number): Subject => ({
  id: `${digit}00000${String(index).padStart(6, '0')}`,
  handle: `${letter}${String(index).padStart(6, '0')}`,
});

export const healthySubject = (index: number): Subject => subject('1', 'v', index);
export const failingSubject = (index: number): Subject => subject(FAILING.digit, FAILING.letter, index);

export const concernsFailing = (path: string): boolean => /[/=](?:8\d{11}|m\d{6})\b/.test(path);
