// The address of a deployment, known only when a request comes, and the pages that headers and problems name.

/** Stands for `{base_url}` in texts that are written ahead. */
export const BASE_URL_PLACEHOLDER = '{base_url}';

/** `$` in an address is just a character. */
export const fillBaseUrl = (text: string, baseUrl: string): string =>
  text.replaceAll(BASE_URL_PLACEHOLDER, () => baseUrl);

/** Has a section per code: the `type` of a problem is the address of its section. */
export const ERRORS_PAGE = '/docs/errors';

/** Named by both `rel="deprecation"` and `rel="sunset"`. */
export const VERSIONING_PAGE = '/docs/versioning';
