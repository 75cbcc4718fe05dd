// What a page is about.

const MAX_CHARACTERS = 200;

/** The first paragraph in plain words: what search engines, previews and lists of pages show. @param markdown of a page */
export const summaryOf = (markdown: string): string =>
  (markdown.split('\n\n')[1] ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_CHARACTERS);
