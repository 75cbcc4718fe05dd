// Cuts pages for golden files.

/** Starts a new line before each element. */
const divided = (html: string): string =>
  html.replaceAll(
    /(?<!^)<(?=article|section|header|h1|h2|h3|p[ >]|aside|figure|details|footer|nav|a |blockquote|ul|ol|li|img|video|source)/gm,
    '\n<',
  );

/** The elements of a page without its style, a line each. */
export const elementsOf = (html: string): string => divided(html.replace(/<style>[^<]*<\/style>\n/, ''));

/** The elements in the main element of a page, a line each. */
export const mainOf = (html: string): string => divided(/<main[^>]*>\n([\s\S]*)<\/main>/.exec(html)?.[1] ?? '');
