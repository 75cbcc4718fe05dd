// Extracts the summary of a page.

const MAX_CHARACTERS = 200;

/** The first paragraph as plain text, for search engines, link previews and lists of pages. */
export const summaryOf = (markdown: string): string =>
  (markdown.split('\n\n')[1] ?? '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_CHARACTERS);
