import { expect, test } from 'vitest';
import { wrongIn } from '../../support/browsing.ts';
import { house, untouched } from '../../support/house.ts';
import { expectProblem } from '../../support/problem.ts';

test.each(['xml', 'XML', 'JSON', 'markdown', 'obsidian', 'html', 'jsonp', ''])(
  '[83] format=%s is not there: 501 and a problem document',
  async (format) => {
    const { get } = house({ upstream: untouched });
    for (const path of ['/api/v1/oembed', '/oembed']) {
      const answer = await get(`${path}?url=x.com/jack/status/20&format=${format}`, {
        headers: { accept: 'text/xml' },
      });
      expect(wrongIn(expectProblem(answer, 501, 'format_not_implemented'))).toEqual(['format']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  },
);
