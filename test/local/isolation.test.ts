// Runs a short form of `npm run measure -- isolation`: each kind of request beside one misbehaving caller. `npm test` plays one
// kind of subjects that fail, and the callers who use up key reads, slots and the calls that the provider admits.
import { expect, test } from 'vitest';
import { measureIsolation, requestNames } from '../exact/isolation-load.ts';
import { sampleOf } from '../support/full-form.ts';

const misbehaviours = [...sampleOf(['fault', 'hang', 'batches']), 'unknown keys', '10 networks', 'limit'];

test.each(misbehaviours)(
  '[outages 2] other callers get answers while one caller misbehaves: %s',
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
