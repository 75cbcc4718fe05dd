// Puts the bar of sample data into a page. No page has a place for the bar, so pages of live data are as they were.
import { documents } from '../contract/documents.ts';
import { SAMPLE_REASON } from '../contract/sample.ts';

const MORE = `<a href="${documents.home.path}">What the sample has</a>`;

/**
 * @param page HTML. Third-party text is escaped, so the first tag of this name is that of the page.
 * @param more HTML after the sentence
 */
export const withSampleBar = (page: string, more: string = MORE): string =>
  page.replace(
    /<main[^>]*>/,
    (tag) => `${tag}\n<p class="note" data-part="sample">Sample data: ${SAMPLE_REASON}. ${more}</p>`,
  );
