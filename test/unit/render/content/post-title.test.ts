// Checks the titles of posts and of notes, the file names of notes, and the header field that names the file.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDisposition } from '../../../../shared/http/representation.ts';
import type { Post } from '../../../../shared/model/post.ts';
import { PLACES } from '../../../../shared/model/text-places.ts';
import { presentPost } from '../../../../shared/reads/post/present.ts';
import {
  bibtex,
  markdownLink,
  noteTitle,
  postFileName,
  postTitle,
} from '../../../../shared/render/content/post-title.ts';
import { hostileFragments, hostileText } from '../../../generators/hostile-text.ts';
import { cases } from '../../../support/full-form.ts';
import { renderList } from '../../../support/list-models.ts';
import { readWithMdast } from '../../../support/markdown-oracle.ts';
import { conversationOf, postOf, userOf } from '../../../support/post-models.ts';

const FERRIES = 'Ferries went quiet for a week and the whole fjord';

test.each([
  ['Two\n lines\u202e', 'Ada: Two lines'],
  [`${FERRIES} turned down by six decibels.`, `Ada: ${FERRIES} turned…`],
  [`${FERRIES}, turned-down-by-six`, `Ada: ${FERRIES}…`],
  [`${FERRIES} did. Then more`, `Ada: ${FERRIES} did…`],
  [`${FERRIES}... Afterwards more`, `Ada: ${FERRIES}…`],
  ['五'.repeat(100), `Ada: ${'五'.repeat(57)}…`],
  ['🐋'.repeat(57), `Ada: ${'🐋'.repeat(57)}`],
  ['', 'Ada'],
  ['Worth your time: https://a.example/b', 'Ada: Worth your time'],
  ['Have you read https://a.example/b?', 'Ada: Have you read?'],
  ['Read (see https://a.example/b). Then https://a.example/c, too', 'Ada: Read (see). Then, too'],
  ['https://a.example/b is new', 'Ada: is new'],
  ['https://a.example/b? https://a.example/c', 'Ada: https://a.example/b? https://a.example/c'],
  ['How to build it:', 'Ada: How to build it'],
  ['One, two –', 'Ada: One, two'],
  [':', 'Ada: :'],
])('the title of %j is %j', (text, title) => {
  expect(postTitle(postOf({ text }))).toBe(title);
});

test('[text 13] a title leaves out what the provider names as a link, and nothing else', () => {
  const text = 'Read https://a.example/b?c today';
  const title = (end: number): string => postTitle(postOf({ text, [PLACES]: [{ type: 'link', start: 5, end }] }));
  expect(title('Read https://a.example/b'.length)).toBe('Ada: Read?c today');
  expect(title('Read https://a.example/b?c'.length)).toBe('Ada: Read today');
});

const by = (name: string, text: string, members: Partial<Post> = {}): Post =>
  postOf({ author: userOf(name), text, ...members });

test.each<[string, Post]>([
  ['Ada: Two lines', by('Ada', 'Two\n\n lines')],
  ['Ada (@ada)', by('Ada', '  ')],
  ['ada: Hello', by('\u200b', 'Hello')],
  ['Ada: See this', by('Ada', 'See https://a.example/b this')],
  ['Ada (@ada)', by('Ada', 'https://a.example/b')],
  ['Ada: Yes', by('Ada', '@bo Yes', { in_reply_to: { handle: 'bo' }, mentions: ['bo'] })],
  ['Ada: Photo', by('Ada', '', { media: [{ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' }] })],
  ['Ada: A title', by('Ada', '', { article: { title: 'A  title', blocks: [] } })],
  [`Ada: ${'word '.repeat(12).trim()}…`, by('Ada', 'word '.repeat(40))],
  [`Ada: ${'ab '.repeat(19)}abc…`, by('Ada', `${'ab '.repeat(19)}abc and more`)],
  [`Ada: ${'🐋'.repeat(60)}…`, by('Ada', '🐋'.repeat(80))],
  ['Hello', { ...postOf(), author: undefined }],
  ['Post 20', { ...postOf({ text: '' }), author: undefined }],
])('noteTitle is %j', (expected, post) => {
  expect(noteTitle(post)).toBe(expected);
});

describe('postFileName', () => {
  test.each<[name: string, ascii: string, post: Post]>([
    ['Zoë - Déjà vu.md', 'Zoe - Deja vu.md', by('Zoë', 'Déjà vu')],
    ['Ada - ice 🧊, sound.md', 'Ada - ice, sound.md', by('Ada', 'ice 🧊, sound')],
    ['春樹 - 朝の湖.md', 'ada-20.md', by('春樹', '朝の湖')],
    ['Ada - a b c d.md', 'Ada - a b c d.md', by('Ada', 'a/b\\c:d')],
    ['Ada - etc passwd.md', 'Ada - etc passwd.md', by('Ada', '/etc/passwd')],
    ['etc - x.md', 'etc - x.md', by('../../.etc', 'x')],
    ['rf - x.md', 'rf - x.md', by('-rf', 'x')],
    ['Ada - 100 sure.md', 'Ada - 100 sure.md', by('Ada', '100% "sure"?')],
    ['Ada - wait.md', 'Ada - wait.md', by('Ada', 'wait...')],
    ['_con.md', '_con.md', { ...postOf({ text: 'con' }), author: undefined }],
    ['_NUL.txt.md', '_NUL.txt.md', { ...postOf({ text: 'NUL.txt' }), author: undefined }],
    ['post-20.md', 'post-20.md', { ...postOf({ text: '???' }), author: undefined }],
  ])('is %j, in ASCII %j', (name, ascii, post) => {
    expect(postFileName(post, '.md')).toEqual({ name, ascii });
  });

  test('is at most 200 bytes long and ends with a whole character', () => {
    const { name } = postFileName(by('鯨'.repeat(50), '鯨'.repeat(60)), '.md');
    expect(name).toBe(`${'鯨'.repeat(50)} - ${'鯨'.repeat(9)}.md`);
    expect(postFileName(by('🐋'.repeat(60), 'x'), '.md').name).toBe(`${'🐋'.repeat(45)}.md`);
  });

  test('is a safe name for any post', () => {
    const check = (name: string, text: string): void => {
      const file = postFileName(by(name, text), '.md');
      for (const candidate of [file.name, file.ascii]) {
        expect(candidate).toMatch(
          /^[^\s.~-][^\\/:*?"<>|#^[\]%\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*(?<![. ])\.md$/u,
        );
        expect(candidate).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\s*\./i);
        expect(candidate.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(candidate)).toBeLessThanOrEqual(200);
      }
      expect(file.ascii).toMatch(/^[ -~]+$/);
    };
    for (const fragment of hostileFragments) check(fragment, fragment);
    fc.assert(fc.property(hostileText, hostileText, check), { numRuns: cases(500, 2000) });
  });
});

describe('contentDisposition', () => {
  test.each([
    ['a.md', 'a.md', 'inline; filename="a.md"'],
    ["é ('*').md", 'e.md', `inline; filename="e.md"; filename*=UTF-8''%C3%A9%20%28%27%2A%27%29.md`],
  ])('of %j is RFC 6266', (name, ascii, expected) => {
    expect(contentDisposition({ name, ascii })).toBe(expected);
  });

  test('is a field of visible ASCII that a parser reads back, for any post', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (author, text) => {
        const post = by(author, text);
        const field = renderList(presentPost, conversationOf(post), { format: 'obsidian' }).headers[
          'Content-Disposition'
        ];
        const [, ascii, extended] =
          /^inline; filename="([^"\\%]+)"(?:; filename\*=UTF-8''([\w.%!$&+^`|~-]+))?$/.exec(field ?? '') ?? [];
        const { name, ascii: expected } = postFileName(post, '.md');
        expect(ascii).toBe(expected);
        expect(extended === undefined ? ascii : decodeURIComponent(extended)).toBe(name);
      }),
      { numRuns: cases(200, 1000) },
    );
  });
});

test('an entry of BibTeX has each special character as LaTeX writes it, and balanced braces', () => {
  const post = postOf({ text: 'A_b 100% {x} ~ ^ \\ & $ # "q"', created_at: '2026-03-02T10:00:00Z' });
  const entry = bibtex(post);
  expect(entry).toMatch(/^@misc\{x20, author = "\{Ada \(@ada\)\}", title = "\{A\\_b 100\\% .*\}", year = \{2026\}, /);
  let depth = 0;
  for (const character of entry.replace(/^[^{]*/, '')) {
    depth += { '{': 1, '}': -1 }[character] ?? 0;
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
});

test('a link in Markdown shows the title as it is', () => {
  const title = 'Ada: ~~a~~ &amp; &#38; & [b](c) `d` *e* _f_ <g> \\';
  const link = readWithMdast(markdownLink(title, 'https://postern.example/ada/status/20'));
  expect(link).toEqual([
    { kind: 'paragraph', content: [{ kind: 'link https://postern.example/ada/status/20', content: [title] }] },
  ]);
});
