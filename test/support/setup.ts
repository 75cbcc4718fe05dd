// Fixes the seed, so that every run tests the same cases. `FUZZ_SEED=random npm test` generates other cases.
import fc from 'fast-check';
import { readSeed } from '../generators/seed.ts';

fc.configureGlobal({ seed: readSeed() });
