// Tests the pages of the replies, the quotes and the reposts of a post.
import { describe, expect, test } from 'vitest';
import type { Post } from '../../../shared/model/post.ts';
import { createRelatedPostsPresenter } from '../../../shared/reads/paging/present-related.ts';
import { pageUrlsAt, renderList } from '../../support/list-models.ts';
import { postOf, userOf } from '../../support/post-models.ts';

const responses = (
  engagement: 'replies' | 'quotes',
  posts: readonly Post[],
  path: string,
  next_cursor?: string,
): string =>
  renderList(
    createRelatedPostsPresenter(engagement),
    { id: '7', posts: [...posts], ...(next_cursor !== undefined && { next_cursor }) },
    { format: 'html', ...pageUrlsAt(path) },
  ).body;

const headingOf = (html: string): string | undefined => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

const bo = userOf('Bo', 'bo');
const quoted = postOf({ id: '7', text: 'The fjord is quiet.', author: userOf('Ada', 'Ada_L') });
const quoting = (members: Partial<Post> = {}): Post =>
  postOf({ id: '21', text: 'Listen', author: bo, quote: quoted, ...members });

describe('the page of an engagement', () => {
  test.each([
    ['replies', 'Replies to a post'],
    ['quotes', 'Quotes of a post'],
  ] as const)(
    '[pages 13] %s: the heading names no author by the URL, which only leads to the post',
    (engagement, title) => {
      const at = (handle: string): string => responses(engagement, [], `/${handle}/status/7/${engagement}`);
      for (const handle of ['someone', '%40someone', 'i', 'I', 'not-a-handle', '%ff', '%3Cb%3E'])
        expect(headingOf(at(handle))).toBe(title);
      const html = at('someone');
      expect(html).toContain(`<title>${title} · Postern</title>`);
      expect(html).toMatch(/<link rel="canonical" href="https:\/\/x\.com\/i\/status\/7/);
      expect(html).not.toContain('@someone');
      expect(html).toContain('<a href="/someone/status/7">Back to the post</a>');
      expect(at('i')).toContain('<a href="/i/status/7">Back to the post</a>');
    },
  );

  test('[pages 13] the posts know the author better than the URL', () => {
    const reply = postOf({ id: '9', in_reply_to: { handle: 'Ada_L', id: '7' } });
    const deeper = postOf({ id: '10', in_reply_to: { handle: 'bo', id: '9' } });
    for (const html of [
      responses('replies', [deeper, reply], '/someone/status/7/replies'),
      responses('quotes', [quoting()], '/someone/status/7/quotes'),
    ]) {
      expect(headingOf(html)).toMatch(/ of @Ada_L$/);
      expect(html).toContain('<a href="/Ada_L/status/7">Back to the post</a>');
      expect(html).not.toContain('someone/status/7"');
    }
    expect(headingOf(responses('replies', [deeper], '/i/status/7/replies'))).toBe('Replies to a post');
  });
});
