// Shortens the style sheets of pages when a module loads, so that their sources stay readable.

/** Comments do not nest. */
const withoutComments = (style: string): string =>
  style
    .split('/*')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf('*/') + 2)))
    .join('');

/** The spaces around these characters have no meaning. A space before a colon can be a descendant combinator. */
const AROUND = / ?([{};,>]) ?/g;

/** Removes comments and needless spaces. A string in the style sheet must not contain the characters that it joins. */
export const css = (parts: TemplateStringsArray): string =>
  withoutComments(parts.join(''))
    .replace(/\s+/g, ' ')
    .replace(AROUND, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
