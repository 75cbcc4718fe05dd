// Parses the tags of an HTML page strictly and checks that third-party text stays text.
import { expect } from 'vitest';
import { visibleText } from '../../../shared/model/visible-text.ts';

const TAG = /<(?:!doctype html|(\/?[a-z][a-z0-9]*)((?: [a-z:-]+(?:="[^"<>]*")?)*))\/?>/iy;
const TEXT = /[^<]+/y;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|#39);)/;

/** Lists the tags with their attribute names in order; throws if a part is neither a tag of that form nor text. */
export const tagsOf = (html: string): string[] => {
  const tags: string[] = [];
  let at = 0;
  while (at < html.length) {
    TAG.lastIndex = at;
    TEXT.lastIndex = at;
    const tag = TAG.exec(html);
    const match = tag ?? TEXT.exec(html);
    if (match === null) throw new Error(`broken at ${html.slice(at, at + 40)}`);
    if (tag !== null) tags.push(`${tag[1] ?? 'doctype'}${(tag[2] ?? '').replace(/="[^"]*"/g, '')}`);
    at += match[0].length;
  }
  return tags;
};

/** Removes the links that a text is by its form: cashtags, and URLs in community notes. */
const withoutFoundLinks = (html: string): string =>
  html
    .replaceAll(/<a href="\/search\?q=%24[A-Za-z._]{1,9}">(\$[A-Za-z._]{1,9})<\/a>/g, '$1')
    .replaceAll(/<aside .*?<\/aside>/gs, (note) =>
      note.replaceAll(/<a href="https?:[^"<>]+" rel="nofollow noopener"(?: dir="ltr")?>([^<>]+)<\/a>/gi, '$1'),
    );

/** @param page renders an HTML page that has this text in every field */
export const expectTextOnly = (page: (text: string) => string, text: string): void => {
  const html = withoutFoundLinks(page(text));
  expect(tagsOf(html)).toEqual(tagsOf(page('words')));
  expect(html).not.toMatch(REFERENCE);
  expect(
    html
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  ).toContain(visibleText(text));
};
