// Shortens the style sheets of pages when a module loads, so that their sources stay readable.

const COMMENT = /\/\*[\s\S]*?\*\//g;

/** The spaces around these characters have no meaning. A space before a colon can be a descendant combinator. */
const AROUND = /\s*([{};,>])\s*/g;

/** Removes comments and needless spaces. A string in the style sheet must not contain the characters that it joins. */
export const css = (parts: TemplateStringsArray): string =>
  parts
    .join('')
    .replace(COMMENT, '')
    .replace(/\s+/g, ' ')
    .replace(AROUND, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
