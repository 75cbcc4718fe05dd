import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { house } from '../support/house.ts';
import { expectProblem } from '../support/problem.ts';

interface Case {
  readonly format: string | null;
  readonly accept: string | null;
  readonly expect: 'markdown' | 'json' | 'problem400' | 'problem406';
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/vectors/accept.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};
const types = { markdown: 'text/markdown; charset=utf-8', json: 'application/json' } as const;

const ask = (route: string, { format, accept }: Case) =>
  house().get(`${route}${format === null ? '' : `${route.includes('?') ? '&' : '?'}format=${format}`}`, {
    headers: accept === null ? {} : { accept },
  });

describe.each(['/api/v1/posts?handle=jack&id=20', '/api/convert?handle=jack&id=20'])('[70][71] on %s', (route) => {
  test.each(cases)('format $format, Accept $accept is $expect', async (row) => {
    const answer = await ask(route, row);
    if (row.expect === 'problem400') expectProblem(answer, 400, 'invalid_format');
    else if (row.expect === 'problem406') expectProblem(answer, 406, 'not_acceptable');
    else expect(answer.headers['content-type']).toBe(types[row.expect]);
    expect(answer.headers['vary']).toBe('Accept');
  });
});

describe('[70] on a permalink', () => {
  test.each(cases.filter(({ accept }) => !accept?.includes('text/html')))(
    'format $format, Accept $accept is $expect',
    async (row) => {
      const answer = await ask('/jack/status/20', row);
      expect(
        answer.status === 400 ? 'problem400' : answer.status === 406 ? 'problem406' : answer.headers['content-type'],
      ).toBe(row.expect.startsWith('problem') ? row.expect : types[row.expect as 'markdown']);
    },
  );

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['text/html, */*', 'text/html; charset=utf-8'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['text/html, text/markdown', 'text/markdown; charset=utf-8'],
    ['text/*', 'text/markdown; charset=utf-8'],
  ])('HTML only where Accept names it with the highest weight: %s', async (accept, type) => {
    expect((await house().get('/jack/status/20', { headers: { accept } })).headers['content-type']).toBe(type);
  });

  test('[71] format beats every Accept', async () => {
    const { get } = house();
    for (const accept of ['text/html', 'image/png', 'application/json;q=0']) {
      expect((await get('/jack/status/20?format=json', { headers: { accept } })).headers['content-type']).toBe(
        'application/json',
      );
      expect((await get('/jack/status/20?format=markdown', { headers: { accept } })).headers['content-type']).toBe(
        'text/markdown; charset=utf-8',
      );
    }
  });
});
