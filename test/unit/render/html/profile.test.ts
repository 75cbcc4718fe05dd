// Tests the page of a profile: banner, facts, tabs and posts.
import { expect, test } from 'vitest';
import type { Profile } from '../../../../shared/model/resources.ts';
import { presentProfile } from '../../../../shared/render/presenters/lists.ts';
import { fullUser, pageUrlsAt, profileOf, type RenderRequest, renderList } from '../../../support/list-models.ts';

const AVATAR = 'https://pbs.twimg.com/profile_images/1/a_normal.jpg';

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
