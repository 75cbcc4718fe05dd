// Writes query strings for requests to providers and for links of the service.

/** Characters that are never encoded (RFC 3986 section 2.3). */
const UNRESERVED = /^[\w.~-]*$/;

/** Also encodes the sub-delims (RFC 3986 section 2.2) that encodeURIComponent keeps, because they can end a link. */
export const percentEncode = (text: string): string =>
  UNRESERVED.test(text)
    ? text
    : encodeURIComponent(text).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      );

/** @param parameters in the order of the query; well-formed UTF-16; undefined values are left out */
export const queryString = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  let query = '';
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query += `${query && '&'}${percentEncode(name)}=${percentEncode(String(value))}`;
  return query;
};

/** @param url with a query or without @param query such as `format=json`; empty: the URL stays as it is */
export const urlWithQuery = (url: string, query: string): string =>
  query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** @param url without the parameter `format` @returns the URL of another format of the same resource */
export const urlOfFormat = (url: string, format: string): string =>
  urlWithQuery(url, `format=${percentEncode(format)}`);
