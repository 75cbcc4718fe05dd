import { describe, expect, test } from 'vitest';
import type { Media } from '../../../../shared/model/post.ts';
import { createMarkdownContext } from '../../../../shared/render/markdown/escape.ts';
import { mediaMarkdown } from '../../../../shared/render/markdown/media.ts';
import { postMarkdown } from '../../../../shared/render/markdown/post.ts';
import { postOf } from '../../../support/post-models.ts';

const shown = (entry: Media): string => mediaMarkdown(createMarkdownContext('markdown'), entry);

describe('[text 4] pictures of mediaMarkdown', () => {
  test.each([
    ['https://pbs.twimg.com/media/a.jpg', '![A fjord](https://pbs.twimg.com/media/a.jpg)'],
    ['https://video.twimg.com/a.jpg', '![A fjord](https://video.twimg.com/a.jpg)'],
    ['https://abs.twimg.com/a.png', '![A fjord](https://abs.twimg.com/a.png)'],
    ['https://tracker.example/p.gif', '[A fjord](https://tracker.example/p.gif)'],
    ['https://pbs.twimg.com.evil.example/p.gif', '[A fjord](https://pbs.twimg.com.evil.example/p.gif)'],
    ['https://pbs.twimg.com@evil.example/p.gif', '[A fjord](https://pbs.twimg.com@evil.example/p.gif)'],
    ['http://pbs.twimg.com/media/a.jpg', '[A fjord](http://pbs.twimg.com/media/a.jpg)'],
  ])('mediaMarkdown embeds %s only if its host is a picture host', (url, expected) => {
    expect(shown({ type: 'photo', url, alt_text: 'A fjord' })).toBe(expected);
  });

  test('a picture without a description is labelled Photo', () => {
    expect(shown({ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg' })).toBe(
      '![Photo](https://pbs.twimg.com/media/a.jpg)',
    );
    expect(shown({ type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', alt_text: ' \u200b\n' })).toBe(
      '![Photo](https://pbs.twimg.com/media/a.jpg)',
    );
  });

  test('a description is one line and closes no bracket', () => {
    expect(shown({ type: 'photo', url: 'https://pbs.twimg.com/a', alt_text: 'a](javascript:x)\n\n# b' })).toBe(
      '![a\\](javascript:x) # b](https://pbs.twimg.com/a)',
    );
  });
});

test('mediaMarkdown links a video with its duration and description', () => {
  expect(shown({ type: 'video', url: 'https://video.twimg.com/a.mp4', duration_ms: 61_000 })).toBe(
    '[Video (1:01)](https://video.twimg.com/a.mp4)',
  );
  expect(shown({ type: 'video', url: 'https://video.twimg.com/a.mp4', alt_text: 'A [seal]' })).toBe(
    '[Video: A \\[seal\\]](https://video.twimg.com/a.mp4)',
  );
  expect(shown({ type: 'gif', url: 'https://video.twimg.com/a.mp4' })).toBe('[GIF](https://video.twimg.com/a.mp4)');
});

describe('[text 4] the picture of a link card', () => {
  const card = { url: 'https://a.example/', title: 'A title', description: 'Words.' };
  const withPicture = (image: string): string =>
    postMarkdown(createMarkdownContext('markdown'), postOf({ text: '', card: { ...card, image_url: image } }));

  test('stands above the link if its host is a picture host', () => {
    expect(withPicture('https://pbs.twimg.com/card_img/1/a?format=jpg&name=800x419')).toMatch(
      /^!\[Preview of the link\]\(https:\/\/pbs\.twimg\.com\/card_img\/1\/a\?format=jpg&name=800x419\)\n\n\*\*Link:\*\* \[A title\]\(https:\/\/a\.example\/\) {2}\nWords\.\n\n\[/,
    );
  });

  test('is left out if its host is another one, which could count readers', () => {
    expect(withPicture('https://tracker.example/p.gif')).toMatch(/^\*\*Link:\*\* /);
    expect(withPicture('https://tracker.example/p.gif')).not.toContain('tracker');
  });
});

test('a quoted post without an author begins with its text', () => {
  const quote = { ...postOf({ text: 'Quoted words' }), author: undefined };
  const markdown = postMarkdown(createMarkdownContext('markdown'), postOf({ text: 'Words', quote }));
  expect(markdown).toMatch(/^Words\n\n> Quoted words\n/);
});
