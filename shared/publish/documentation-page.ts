// The frame of the documentation: the page frame with a way between its pages.
import { BASE_URL_PLACEHOLDER } from '../contract/addresses.ts';
import { documentRows } from '../contract/operations.ts';
import { htmlPage } from '../render/page.ts';

const PRODUCT = 'Postern';

const navigation = documentRows
  .filter(([, { kind }]) => kind === 'page')
  .map(([, { path, title }]) => `<a href="${BASE_URL_PLACEHOLDER}${path}">${title}</a>`)
  .join('');

/** @param body HTML */
export const documentationPage = (title: string, body: string): string =>
  htmlPage({
    title: title === PRODUCT ? title : `${title} · ${PRODUCT}`,
    body: `<nav aria-label="Documentation">${navigation}</nav>\n<main>\n${body}</main>`,
  });
