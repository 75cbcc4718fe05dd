// The same cases in every run, so that red means changed. `FUZZ_SEED=random npm test` looks for new ones.
import fc from 'fast-check';

const { FUZZ_SEED = '20261121' } = process.env;

if (FUZZ_SEED !== 'random') fc.configureGlobal({ seed: Number(FUZZ_SEED) });
