// Checks that the edge normalizes requests. Without it every answer is right, but nearly every request misses the cache.
import { type Answer, headerOf } from '../answer.ts';
import { type Check, requireRead, Skipped } from '../check.ts';
import { postTarget } from './targets.ts';

const isHit = (answer: Answer): boolean => /hit/i.test(headerOf(answer, 'x-cache') ?? '');

const isStorable = (answer: Answer): boolean => /\bs-maxage=[1-9]/.test(headerOf(answer, 'cache-control') ?? '');

/** One location of CloudFront has several caches, so the second request may miss as well. */
const MAX_REQUESTS = 6;

export const edgeChecks: readonly Check[] = [
  {
    name: 'edge-normalizes',
    statement: 'A request with another unknown parameter is answered from the cache',
    rows: ['caching 7', 'caching 11'],
    isInCanary: true,
    run: async (service, verify) => {
      // Other names than those of an earlier run, whose answers may be stored.
      const run = service.wall.now().toString(36);
      const answers: Answer[] = [];
      while (answers.length < MAX_REQUESTS && !answers.some(isHit))
        answers.push(requireRead(await service.send(`${postTarget(service)}&verify_${run}_${answers.length}=1`)));
      const [first] = answers;
      if (first !== undefined && !isStorable(first)) throw new Skipped('shared caches may not keep a post');
      if (answers.every((answer) => headerOf(answer, 'x-cache') === undefined))
        throw new Skipped('no answer has X-Cache');
      verify.holds(
        answers.some(isHit),
        `none of ${answers.length} requests with different unknown parameters is a hit: the edge function fails or is missing`,
      );
      return 'unknown parameters are not in the cache key';
    },
  },
];
