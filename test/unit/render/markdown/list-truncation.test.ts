// Checks where the Markdown of a list is truncated and what its last lines say.
import { describe, expect, test } from 'vitest';
import type { User } from '../../../../shared/model/user.ts';
import { presentProfile } from '../../../../shared/render/presenters/present-profile.ts';
import { presentSearch } from '../../../../shared/render/presenters/present-search.ts';
import { createUsersPresenter } from '../../../../shared/render/presenters/present-users.ts';
import { fullUser, profileOf, recordedPosts, renderListWithin, searchOf } from '../../../support/list-models.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

describe('truncated Markdown of a list', () => {
  const users = (count: number, bio = 'I listen to fjords.'): User[] =>
    Array.from({ length: count }, (_, index) => ({ ...userOf(`Name ${index}`, `handle_${index}`), bio }));
  const followers = (count: number, maxTokens: number, next_cursor?: string, bio?: string) =>
    renderListWithin(
      createUsersPresenter('followers'),
      { handle: 'ada', users: users(count, bio), next_cursor },
      maxTokens,
    );

  test('a list is truncated between accounts and says how many accounts are missing', () => {
    const { markdown, warnings } = followers(20, 200, 'v1.next');
    const shown = markdown.match(/^- \*\*Name [0-9]+\*\*.*\n {2}I listen to fjords\.$/gm) ?? [];
    expect(shown.length).toBeGreaterThan(3);
    const missing = `${20 - shown.length} accounts left out`;
    const remedy = 'Ask again with a larger max_tokens or the next page for the rest.';
    expect(markdown).toMatch(
      new RegExp(
        `\\n\\n\\*Truncated: ${missing}\\. ${remedy}\\*\\n\\nNext page: <https://postern\\.example/somewhere\\?cursor=v1\\.next>\\n$`,
      ),
    );
    expect(warnings).toEqual([
      { code: 'truncated', message: `The Markdown was cut to fit max_tokens: ${missing}. ${remedy}` },
    ]);
  });

  test('a truncated list keeps as many accounts as fit', () => {
    const { markdown } = followers(20, 200);
    const next = Buffer.byteLength('\n- **Name 9** ([@handle_9](https://x.com/handle_9))  \n  I listen to fjords.');
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(800 - next - 100);
  });

  test('a first account that does not fit is shortened', () => {
    const { markdown } = followers(2, 120, undefined, `First sentence. ${'word '.repeat(400)}`);
    expect(markdown).toMatch(/\n- \*\*Name 0\*\* .+ {2}\n {2}First sentence\. (?:word )+…\n/);
    expect(markdown).toContain('*Truncated: the first account was cut short, 1 account left out. ');
  });

  test('a URL of the next page that does not fit is only in the Link header', () => {
    const { markdown, warnings } = followers(1, 100, 'c'.repeat(700));
    expect(markdown).toMatch(/\nNext page: the Link header has its URL\.\n$/);
    expect(markdown).toContain('I listen to fjords.');
    expect(markdown).not.toContain('*Truncated');
    expect(warnings.map(({ code }) => code)).toEqual(['truncated']);
  });

  test('a query that does not fit ends with an ellipsis', () => {
    const query = 'fjord OR '.repeat(56).trim();
    const { markdown } = renderListWithin(presentSearch, searchOf({ query, posts: [postOf()] }), 100);
    expect(markdown).toMatch(/^# Search: fjord OR (?:fjord|OR| )+ …\n/);
    expect(markdown).toContain('*Truncated: the query was cut short');
  });

  test('a truncated profile keeps the name, the URL and the counts longest', () => {
    const profile = fullUser({ bio: 'Listening to fjords is what I do. '.repeat(40), location: 'L'.repeat(300) });
    const { markdown } = renderListWithin(
      presentProfile,
      profileOf(profile, { posts: recordedPosts('statuses/p1_default') }),
      150,
    );
    expect(markdown).toMatch(/^# Ada \(@ada\)\n\nListening to fjords is what I do\..* …\n\n48,213 followers/);
    expect(markdown).toContain('[@ada on X](https://x.com/ada)');
    expect(markdown).not.toContain('LLL');
    expect(markdown).toContain('*Truncated: the profile was cut short, ');
  });

  test('a long profile leaves enough bytes for the first post', () => {
    const profile = fullUser({ bio: 'Listening to fjords is what I do. '.repeat(40) });
    const { markdown } = renderListWithin(presentProfile, profileOf(profile, { posts: [postOf(), postOf()] }), 250);
    expect(markdown).toMatch(/\n\n## Posts\n\nHello\n\n\[2026/);
  });

  test('the warning counts only invisible characters of the shown accounts', () => {
    const hidden = users(20, 'a\u200bb');
    const messageFor = (maxTokens: number | undefined) =>
      renderListWithin(createUsersPresenter('followers'), { handle: 'ada', users: hidden }, maxTokens);
    const { markdown, warnings } = messageFor(150);
    const shown = markdown.match(/^- /gm)?.length ?? 0;
    expect(shown).toBeLessThan(20);
    expect(warnings).toContainEqual({
      code: 'invisible_removed',
      message: `${shown} invisible characters were left out of the Markdown.`,
    });
    expect(messageFor(undefined).warnings).toHaveLength(1);
  });
});
