// Fixes the seed, so that every run tests the same cases. `FUZZ_SEED=random npm test` generates other cases.
import fc from 'fast-check';

const { FUZZ_SEED = '20261121' } = process.env;

if (FUZZ_SEED !== 'random') fc.configureGlobal({ seed: Number(FUZZ_SEED) });
