// A short form of `npm run isolation`: each kind of read beside a caller who misbehaves in one way.
import { expect, test } from 'vitest';
import { measureIsolation, requestNames } from '../exact/isolation-load.ts';

test.each(['fault', 'hang', 'batches'])(
  '[decision 5 #98] other callers are served while one misbehaves: %s',
  async (misbehaviour) => {
    const figures = await measureIsolation({
      misbehaviours: [misbehaviour],
      requests: requestNames,
      times: 5,
      concurrency: 20,
    });
    expect(figures.map(({ request, served }) => `${request} ${served}`)).toEqual(
      requestNames.map((read) => `${read} 5`),
    );
  },
  240_000,
);
