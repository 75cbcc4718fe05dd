// A short form of `npm run isolation`: each kind of read beside a caller who misbehaves in one way.
import { expect, test } from 'vitest';
import { countVictims, readNames } from '../exact/victims.ts';

test.each(['fault', 'hang', 'batches'])(
  '[98] other callers are served while one misbehaves: %s',
  async (misdeed) => {
    const figures = await countVictims({ misdeeds: [misdeed], reads: readNames, times: 5, concurrency: 20 });
    expect(figures.map(({ read, served }) => `${read} ${served}`)).toEqual(readNames.map((read) => `${read} 5`));
  },
  240_000,
);
