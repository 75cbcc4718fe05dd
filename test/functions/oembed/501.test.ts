import { expect, test } from 'vitest';
import { invalidParameters } from '../../support/browse-routes.ts';
import { expectProblem } from '../../support/problem.ts';
import { createTestApp, upstreamNotCalled } from '../../support/test-app.ts';

test.each(['xml', 'XML', 'JSON', 'markdown', 'obsidian', 'html', 'jsonp', ''])(
  '[oembed 1] oEmbed with format=%s returns 501 with a problem document',
  async (format) => {
    const { get } = createTestApp({ upstream: upstreamNotCalled });
    for (const path of ['/api/v1/oembed', '/oembed']) {
      const answer = await get(`${path}?url=x.com/jack/status/20&format=${format}`, {
        headers: { accept: 'text/xml' },
      });
      expect(invalidParameters(expectProblem(answer, 501, 'format_not_implemented'))).toEqual(['format']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  },
);
