// Tests the page of a profile: banner, facts, tabs and posts.
import { expect, test } from 'vitest';
import type { Profile } from '../../../../shared/model/resources.ts';
import { presentProfile } from '../../../../shared/render/presenters/lists.ts';
import { fullUser, pageUrlsAt, profileOf, type RenderRequest, renderList } from '../../../support/list-models.ts';
import { postOf } from '../../../support/post-models.ts';

const AVATAR = 'https://pbs.twimg.com/profile_images/1/a_normal.jpg';
const BANNER = 'https://pbs.twimg.com/profile_banners/12/1400000000';

const ada = fullUser({ protected: false, banner_url: BANNER });

const page = (value: Profile, request: RenderRequest = {}): string =>
  renderList(presentProfile, value, { format: 'html', ...pageUrlsAt('/ada'), ...request }).body;

const mainOf = (html: string): string => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

test('[text 4] the page loads banner and picture only from hosts of X', () => {
  for (const url of ['https://tracker.example/a.jpg', 'https://pbs.twimg.com.evil.example/a.jpg', 'javascript:x']) {
    const html = page(profileOf(fullUser({ avatar_url: url, banner_url: url })));
    expect(html).not.toContain(url);
    expect(mainOf(html)).not.toContain('<img');
    expect(html).toContain('<span class="face" aria-hidden="true">A</span>');
  }
  expect(page(profileOf(fullUser({ avatar_url: AVATAR })))).toContain(
    '<meta property="og:image" content="https://pbs.twimg.com/profile_images/1/a_400x400.jpg">',
  );
});

test('a long text of a post of a profile is cut at a word, and the rest is linked', () => {
  const text = 'All the tides of the fjord are in this one table. '.repeat(500);
  const html = page(profileOf(ada, { posts: [postOf({ author: ada, text })] }));
  const [, shown = ''] = /<section aria-label="Posts">.*?<p class="text" dir="auto">(.*?)<\/p>/s.exec(html) ?? [];
  expect(shown.length).toBeGreaterThan(430);
  expect(shown.length).toBeLessThan(570);
  expect(text.startsWith(shown.slice(0, -1))).toBe(true);
  expect(shown.endsWith('…')).toBe(true);
  // The cut is after a sentence; its mark stands for the full stop.
  expect(text.slice(shown.length - 1, shown.length + 1)).toBe('. ');
  expect(html).toContain('<a href="/ada/status/20" class="on">Read on, 24 min</a>');
});
