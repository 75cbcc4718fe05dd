// Tests how the box finds the accounts of a timeline in what people paste.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAccounts, parseText, textTarget } from '../../../shared/model/account-list.ts';
import { boxTarget, parseBox } from '../../../shared/model/box.ts';

const OWN = 'https://postern.example';

const leadsTo = (text: string, to?: string): string | undefined => {
  const meaning = to === undefined ? parseText(text, OWN) : parseAccounts(text, OWN, to);
  if (meaning === undefined) return undefined;
  if (meaning.kind === 'error') return meaning.code;
  const { path, query } = textTarget(meaning);
  return query === undefined ? path : `${path} ${query.q}`;
};

const MANY = Array.from({ length: 21 }, (_, index) => `@a${index}`);

test.each([
  ['/ada,bo', '@Ada @bo'],
  ['/ada,bo', 'ada,bo'],
  ['/ada,bo', 'ada\nBo\r\n\n@ada'],
  ['/ada,bo,cy', '@ada @bo, cy'],
  ['/ada,bo', '＠bo; @ada ;'],
  ['/ada,bo', 'https://x.com/ada https://twitter.com/Bo/media?s=20'],
  ['/ada,bo', 'x.com/ada,x.com/bo'],
  ['/ada,bo', 'ada,https://x.com/bo'],
  ['/ada,bo', 'https://x.com/bo,@ada'],
  ['/ada/status/20', 'bo,https://x.com/ada/status/20'],
  ['/ada,bo', '@ada;x.com/bo'],
  ['/ada,bo', 'hxxps://x[.]com/ada hxxps://x[.]com/bo'],
  ['/ada,bo', 'https://nitter.net/ada/rss\nhttps://nitter.example.org/bo/with_replies/rss'],
  ['/ada,bo', `${OWN}/ada/rss ${OWN}/api/v1/profiles/bo/posts?format=atom`],
  ['/ada,bo', '<opml><outline xmlUrl="https://nitter.net/ada/rss"/><outline xmlUrl=\'https://x.com/bo\'/></opml>'],
  ['/ada,bo,cy', `@cy ${OWN}/ada,bo/rss`],
  ['/ada,bo/media', 'https://xcancel.com/Bo,%20ada/media/rss'],
  ['/ada,bo', `${OWN}/bo,ada?cursor=x,y`],
  ['/ada', '@ada, @ADA'],
  ['/ada', 'https://x.com/ada?s=1,bo'],
  ['/ada/status/20', 'https://x.com/ada/status/20 @bo @cy'],
  ['/search ada bo', 'ada bo'],
  ['/search Berlin, Germany', 'Berlin, Germany'],
  ['/search @ada hello there', '@ada hello there'],
  ['/search 2026,2027', '2026,2027'],
  ['/search ada,', 'ada,'],
  ['/search @ada @b-o', '@ada @b-o'],
  ['invalid_parameter', MANY.join(' ')],
  [
    `/${MANY.slice(1)
      .map((handle) => handle.slice(1))
      .sort()
      .join()}`,
    `${MANY.slice(1).join()}, @A1`,
  ],
])('[timelines 8] the box leads to %s from %j', (path, text) => {
  expect(leadsTo(text)).toBe(path);
});

test.each([
  ['/ada,bo,cy/media', 'cy', 'ada,bo/media'],
  ['/ada,bo,cy,dan', 'cy @dan', 'ada,bo'],
  ['/ada,bo', 'https://x.com/bo/photo', 'ada,'],
  ['/ada,bo', 'BO', 'ada,bo/followers'],
  ['invalid_parameter', MANY.join(' '), 'ada,bo'],
  [undefined, 'c-y', 'ada,bo'],
  [undefined, 'cy', 'ada'],
  [undefined, 'cy', '//evil.example,x'],
])('[timelines 7] the form leads to %s with %j added to %s', (path, text, to) => {
  expect(leadsTo(text, to)).toBe(path);
});

test('[pages 3] a text that is no list of accounts has the meaning of the box, and no text leads to another host', () => {
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom('@ada', ', ', 'x.com/bo', ' ', '//', 'nitter.net/a,b', 'xmlUrl="'),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const text = words.join('');
      const meaning = parseText(text, OWN);
      if (meaning?.kind === 'timeline')
        expect(textTarget(meaning).path).toMatch(/^\/\w{1,15}(?:,\w{1,15})+(?:\/\w+)?$/);
      else if (meaning !== undefined && meaning.kind !== 'error' && meaning.kind !== 'profile') {
        const inBox = parseBox(text, OWN);
        expect(inBox?.kind !== 'error' && inBox && boxTarget(inBox)).toEqual(textTarget(meaning));
      }
    }),
  );
});
