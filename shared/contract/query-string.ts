// Queries as we write them, to providers and in our own addresses.

/** RFC 3986 section 2.2: sub-delims too, which encodeURIComponent leaves and which would end a Link or a Markdown link. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Percent-encoded, in the order given. @param facts well-formed UTF-16; what is undefined is left out */
export const queryString = (facts: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encode(name)}=${encode(String(value))}`]))
    .join('&');
