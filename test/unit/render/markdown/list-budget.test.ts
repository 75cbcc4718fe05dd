// Checks that the Markdown of a list stays within max_tokens, keeps a clean structure and ends with lines that say what
// is missing and how to continue.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WarningCode, warning, warningRows } from '../../../../shared/contract/warnings.ts';
import { MAX_HANDLES } from '../../../../shared/model/handle.ts';
import { TIMELINE_KINDS } from '../../../../shared/model/lists.ts';
import type { Post } from '../../../../shared/model/post.ts';
import type { User } from '../../../../shared/model/user.ts';
import { createFollowsPresenter } from '../../../../shared/reads/follows/present.ts';
import { presentProfile } from '../../../../shared/reads/profile/present.ts';
import { presentSearch } from '../../../../shared/reads/search/present.ts';
import { presentTimeline } from '../../../../shared/reads/timeline/present.ts';
import type { Presenter } from '../../../../shared/render/presenters/view.ts';
import { hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { fullUser, METRICS, type RenderRequest, renderListWithin, searchOf } from '../../../support/list-models.ts';
import { readWithMdast, strangeKindsIn, wordsIn } from '../../../support/markdown-oracle.ts';
import { postOf, userOf } from '../../../support/post-models.ts';

const expectWithin = <T extends { readonly next_cursor?: string | undefined }>(
  present: Presenter<T>,
  value: T,
  maxTokens: number,
  request: RenderRequest = {},
): void => {
  const fullMarkdown = renderListWithin(present, value, undefined, request).markdown;
  const { markdown, warnings } = renderListWithin(present, value, maxTokens, request);
  const codes = warnings.map(({ code }) => code);
  if (Buffer.byteLength(fullMarkdown) <= maxTokens * 4) {
    expect(markdown).toBe(fullMarkdown);
    expect(codes).not.toContain('truncated');
    return;
  }
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxTokens * 4);
  expect(codes).toContain('truncated');
  expect(markdown.isWellFormed()).toBe(true);
  const flat = readWithMdast(markdown);
  expect(strangeKindsIn(flat)).toEqual([]);
  expect(markdown).toMatch(/^# /);
  // The last lines are paragraphs: no fence, list or quote before them is unclosed.
  const last = flat.slice(-2).map((entry) => wordsIn([entry]));
  const [beforeLast, lastLine] = last;
  const showsNext = lastLine?.startsWith('Next page: ') ?? false;
  if (!markdown.includes('has its URL.'))
    expect(showsNext ? beforeLast : lastLine).toMatch(/^Truncated: .+ Ask again with a larger max_tokens/);
};

const longText = fc.array(hostileText, { minLength: 1, maxLength: 40 }).map((texts) => texts.join(' '));
const name = fc.oneof(hostileText, longText);
/** Includes handles of full width and handles that need the most backslashes. */
const handle = fc.constantFrom('ada', '_______________', 'A23456789012345', '_______a_______', '_a_b_c_d_e_f_g_');
const cursor = fc
  .option(fc.integer({ min: 1, max: 700 }), { nil: undefined })
  .map((length) => (length === undefined ? undefined : 'c'.repeat(length)));

const user: fc.Arbitrary<User> = fc
  .record({ name, handle, bio: longText, location: longText, isFull: fc.boolean() })
  .map(({ name, handle, bio, location, isFull }) => {
    const url = `https://x.com/${handle}`;
    const huge = Object.fromEntries(Object.keys(METRICS).map((metric) => [metric, Number.MAX_SAFE_INTEGER]));
    const website = `https://site.example/${'w'.repeat(300)}`;
    return isFull
      ? fullUser({ name, handle, url, bio, location, website, metrics: { ...METRICS, ...huge } })
      : { ...userOf(name, handle), bio };
  });

const post: fc.Arbitrary<Post> = fc
  .record({ author: user, text: longText, isReply: fc.boolean() })
  .map(({ author, text, isReply }) =>
    postOf({
      author,
      text,
      url: `https://x.com/${author.handle}/status/9223372036854775807`,
      ...(isReply && { in_reply_to: { handle: author.handle }, reposted_by: author }),
    }),
  );

const warningsOf = fc
  .subarray(Object.keys(warningRows) as WarningCode[]) // keys of a constant table
  .map((codes) => codes.filter((code) => code !== 'truncated' && code !== 'sample').map((code) => warning(code)));

const budget = fc.integer({ min: 100, max: 1500 });

const expectAnyWithin = <T extends { readonly next_cursor?: string | undefined }>(
  present: Presenter<T>,
  values: fc.Arbitrary<T>,
): void =>
  fc.assert(
    fc.property(values, warningsOf, budget, (value, warnings, max) => expectWithin(present, value, max, { warnings })),
    { numRuns: cases(12, 150) },
  );

const posts = fc.array(post, { maxLength: 4 });

test('hostile profiles fit into every token budget', () =>
  expectAnyWithin(presentProfile, fc.record({ profile: user, posts, next_cursor: cursor })));

test('hostile account lists fit into every token budget', () => {
  const users = fc.array(user, { maxLength: 4 });
  expectAnyWithin(createFollowsPresenter('following'), fc.record({ handle, users, next_cursor: cursor }));
});

test('hostile searches fit into every token budget', () => {
  const query = longText.map((text) => text.slice(0, 512));
  expectAnyWithin(
    presentSearch,
    fc.record({ query, posts, next_cursor: cursor }).map((value) => searchOf({ ...value, degraded: true })),
  );
});

test('timelines of accounts that cannot be read fit into every token budget', () => {
  const handles = Array.from({ length: MAX_HANDLES }, (_, index) => `${'_'.repeat(13)}${10 + index}`);
  const missing = handles.map((each) => ({ handle: each, reason: 'failed' as const }));
  const reached = fc.nat(handles.length).map((count) => missing.slice(0, count));
  expectAnyWithin(
    presentTimeline,
    fc.record({
      handles: fc.constant(handles),
      kind: fc.constantFrom(...TIMELINE_KINDS),
      missing: reached,
      posts,
      next_cursor: cursor,
    }),
  );
});

test.each([
  ['a timeline', ['ada_larsson', 'kestrel_labs', 'slowtv_live', 'zero_posts', 'x'], []],
  ['a timeline that lacks an account', ['ada_larsson', 'gone_gary'], ['gone_gary']],
])('the smallest budget shows the first post of %s', (_, handles, gone) => {
  const missing = gone.map((each) => ({ handle: each, reason: 'suspended' as const }));
  const posts = Array.from({ length: 20 }, () => postOf({ text: 'Which sensor next? '.repeat(20) }));
  const value = { handles, kind: 'replies', missing, posts, next_cursor: 'c'.repeat(200) } as const;
  // The line about sample data takes the other 18 tokens of the smallest budget.
  const { markdown } = renderListWithin(presentTimeline, value, 82);
  expect(markdown).toContain('Which sensor next?');
  expect(markdown).toContain(
    'first post was cut short, 19 posts left out. Ask again with a larger max_tokens or the next',
  );
  expect(markdown).not.toContain('the list of missing accounts was cut short');
});
