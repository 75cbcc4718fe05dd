// Describes the response headers, for documents. No Lambda loads this file.

export interface HeaderDescription {
  readonly description: string;
  /** JSON Schema. @default a text */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Has the type of the schema. */
  readonly example: string | number;
  /** Every answer of a route that declares the header has it. */
  readonly isAlwaysPresent?: true;
}

export const headerDescriptions = {
  'X-Request-Id': {
    description: 'Names this answer in the log of the service. Tell it when you report a problem.',
    example: 'JKJaXmPLvHcESHA=',
    isAlwaysPresent: true,
  },
  'Access-Control-Allow-Origin': {
    description: 'Every page may read every answer.',
    schema: { type: 'string', const: '*' },
    example: '*',
    isAlwaysPresent: true,
  },
  'Access-Control-Expose-Headers': {
    description: 'The headers that a page of another origin may read.',
    example: 'Deprecation, Sunset, Link, Retry-After, ETag',
    isAlwaysPresent: true,
  },
  Location: {
    description: 'The path of the same read without the marks behind the id.',
    example: '/jack/status/20',
  },
  'X-Content-Type-Options': {
    description: 'The type is what Content-Type says.',
    schema: { type: 'string', const: 'nosniff' },
    example: 'nosniff',
    isAlwaysPresent: true,
  },
  'Cache-Control': {
    description: 'How long the answer may be kept, and by whom (RFC 9111, RFC 5861). With a key: `private, no-store`.',
    example: 'public, max-age=60, s-maxage=300',
    isAlwaysPresent: true,
  },
  ETag: {
    description: 'Validator of this representation, without the time of reading. Send it back in If-None-Match.',
    schema: { type: 'string', pattern: '^W/"[^"]+"$' },
    example: 'W/"m5Zq0aBcDeFgHiJkLmNoP1"',
    isAlwaysPresent: true,
  },
  Vary: {
    description:
      'What the answer depends on beside its address: `Accept` where there are several forms, `Authorization` where keys are read, and `Accept-Encoding`.',
    schema: { type: 'string', pattern: '^(?:Accept, )?(?:Authorization, )?Accept-Encoding$' },
    example: 'Accept, Authorization, Accept-Encoding',
    isAlwaysPresent: true,
  },
  Link: {
    description:
      'RFC 8288, all relations in one field line: `next` of a list that continues; on the permalink of a post `alternate` for each other format and for its oEmbed (type `application/json+oembed`); the relations of deprecation.',
    example: '<{base_url}/api/v1/search?q=tide&cursor=AXs>; rel="next"',
  },
  'Content-Disposition': {
    description:
      'RFC 6266, of a note (`format=obsidian`), of a list as CSV, GraphML or NDJSON, and of a file to keep, which is an attachment: its name, in UTF-8 and in ASCII.',
    schema: { type: 'string', pattern: '^(?:inline|attachment); filename="' },
    example: 'inline; filename="Ada Larsson - Humpbacks in the fjord.md"',
  },
  'X-Markdown-Tokens': {
    description: 'Of Markdown: its size in tokens of 4 bytes, the unit of `max_tokens`, before compression.',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
    example: 412,
  },
  'X-Warnings': {
    description: 'Of CSV and GraphML: the codes of the warnings that the JSON has, if there are any.',
    example: 'partial_page, withheld',
  },
  'X-Api-Key-Status': {
    description: 'What became of the key.',
    schema: { type: 'string', enum: ['valid', 'anonymous', 'invalid', 'unverified'] },
    example: 'anonymous',
  },
  'RateLimit-Policy': {
    description: 'What the allowance is: a structured field, `q` requests in `w` seconds.',
    example: '"search";q=10;w=60',
  },
  RateLimit: {
    description: 'What is left of the allowance: `r` requests, for `t` seconds. With a key, at `/mcp`, and on 429.',
    example: '"search";r=7;t=41',
  },
  'Retry-After': {
    description: 'Seconds after which the same request is admitted, or worth another try.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
    example: 30,
    isAlwaysPresent: true,
  },
  Deprecation: {
    description: 'RFC 9745: the instant from which the route is deprecated, `@` and Unix seconds.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1789430400',
    isAlwaysPresent: true,
  },
  Sunset: {
    description: 'RFC 8594: the HTTP-date after which the route may stop answering.',
    example: 'Wed, 15 Sep 2027 00:00:00 GMT',
    isAlwaysPresent: true,
  },
  'Content-Security-Policy': {
    description: 'Of pages and feeds: what a browser may load and run.',
    example: "default-src 'none'",
  },
  'X-Robots-Tag': {
    description: 'On permalinks and the search of a service that search engines must not index.',
    example: 'noindex, nofollow',
  },
  'Referrer-Policy': { description: 'On HTML pages and feeds: links send no Referer field.', example: 'no-referrer' },
} as const satisfies Readonly<Record<string, HeaderDescription>>;

export type HeaderName = keyof typeof headerDescriptions;
