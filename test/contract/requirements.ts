// What the service promises, one row per checkable statement: id -> what must hold. A test that proves a row names
// its id in brackets in its title; coverage.test.ts fails on a row that nobody cites and on an id that is not here.
// Numbers follow the specification sentence by sentence; U, I, H, C, M, D, P and S are catalogues of hostile input:
// addresses, ids, headers, caches, text, denial of service, prompts and provider faults.

export const requirements: Readonly<Record<string, string>> = {
  // Lifecycle headers of the deprecated alias
  '1': 'Deprecation is a structured-field date on every answer of the alias',
  '2': 'Sunset is an HTTP date in GMT',
  '3': 'Both values are constants, whatever the clock says',
  '4': 'There is one Link field line',
  '5': 'Link has successor-version, deprecation and sunset, the last two typed text/html',
  '6': 'Successor addresses come from configuration, never from a host header',
  '7': 'The successor of /api/convert is /api/v1/posts whatever the parameters are',
  '10': 'Errors, 304, HEAD and OPTIONS of the alias carry the lifecycle headers too',
  '11': 'HEAD on the alias carries them with the status of GET',
  '11a': 'No parameter switches them off',
  '12': 'OPTIONS on the alias carries them',
  '13': 'No other route sends Deprecation or Sunset',
  '14': 'No input breaks or extends the Link field',
  '15': 'The page named by the links is HTML and says both dates',
  '16': 'The successor is the route alone and answers the same parameters',
  '17': 'Alias and successor answer with the same body, status and headers',
  '18': 'Other spellings of the alias are unknown routes',
  '19': 'Deprecation parses as a date, and Sunset is not before it',
  // Methods
  '20': 'HEAD answers the status and headers of GET without a body',
  '21': 'HEAD reaches the function through the deployed routes',
  '22': 'Other methods are 405 with Allow; on an unknown route 404',
  '24': 'The edge lets every method through',
  // Problems
  '25': 'Every error is a problem document whatever Accept and format say',
  '26': 'The set of codes is frozen',
  '27': 'One code, one type, one title; the type leads to documentation',
  '28': 'Missing and protected posts have their own codes',
  '29': 'Unknown paths under /api are route_not_found with a way on',
  '30': '503 says when to retry; upstream faults are 502 or 503, never 500',
  '31': 'Exceptions and absurd addresses are problem documents without internals',
  '32': 'Errors carry CORS, request id, Cache-Control and Vary',
  '33': 'No answer has a challenge header',
  '34': 'Post routes never answer 401',
  '42': 'Authorization changes nothing on post routes',
  '43': 'Where keys are not read, no key status is sent',
  // Caching
  '59': 'The edge does not hold errors longer than we say',
  '60': 'Cacheable answers have freshness, validator and Vary; JSON and Markdown differ in their tag',
  '61': '304 repeats the caching headers, has no body, and never replaces an error',
  '62': 'If-None-Match takes lists, strong forms and *, and ignores garbage',
  '63': 'Unknown parameters neither change the answer nor split the cache',
  '64': 'The cache key holds Accept folded to a few values',
  '65': 'Stale answers in an outage never hide another error',
  // CORS
  '66': 'Every answer may be read from every origin, without credentials',
  '67': 'The headers that matter are exposed by name on every status',
  '68': 'Preflights name Authorization and the methods',
  '69': 'A page on another origin can read the headers of errors',
  // Negotiation
  '70': 'The Accept vectors hold on every route of a post',
  '71': 'format beats Accept; unknown or empty formats are refused',
  '72': 'Media types and charsets are exact',
  '73': 'Permalink and v1 answer with the same bytes',
  '74': '406 only when nothing offered is acceptable, with the offers named',
  // Inputs
  '86': 'Ids are strings; addresses are taken in every spelling and from no other host',
  '87': 'url, handle and id must agree and be complete',
  '89': 'Handles tolerate one @ and no more',
  '90': 'Permalinks collide with no other route; reserved segments are no handles',
  // Infrastructure
  '91': 'Answers made by the platform are as few and as harmless as can be configured',
  '92': 'No response headers policy adds a second Link line',
  '93': 'A catch-all route answers what the gateway would answer itself',
  '94': 'The local service and the stack have the same routes and answers',
  // Addresses
  U1: 'Look-alike hosts are unsupported', U2: 'Credentials are refused', U3: 'Foreign ports are refused',
  U4: 'A trailing dot of the host is dropped', U5: 'www, mobile and m hosts are accepted', U6: 'Known mirrors are accepted',
  U7: 'Loopback and other hosts are refused', U8: 'Only http and https', U9: 'The ASCII form of a host decides',
  U10: 'The scheme may be left out', U11: 'Every spelling of a post address is read', U12: 'Short links are refused, not resolved',
  U13: 'Over-long and control-ridden addresses are refused', U14: 'Addresses of machines are refused',
  U15: 'url and another id are refused together',
  // Handles and ids
  I1: 'Ids are plain decimal digits', I2: 'No zero, no leading zero', I3: 'Ids beyond 63 bits are refused without asking',
  I4: 'Ids from the future are not found without asking', I5: 'Ids of the first years are valid', I6: 'No number beyond 2^53 in any body',
  I7: 'Handles are validated', I8: 'No line break in a handle', I9: 'Author and address come from the post', I10: 'Handle case makes no difference',
  // Headers
  H1: 'No header holds bytes of the request unchecked', H2: 'instance is the path, encoded and bounded', H3: 'The base address is configured or set by the edge',
  H4: 'No provider text in a problem', H5: 'No provider header in ours', H6: 'Types are exact and not sniffed', H7: 'HEAD is GET without a body', H8: 'Methods are 405 with Allow, unknown routes 404 first',
  // Caches
  C1: 'Unkeyed headers do not change the body', C2: 'Accept is folded', C3: 'Queries are canonical; repeated names are refused', C4: 'One address, one spelling',
  C8: 'Fallback answers are kept briefly and say so', C9: 'There is no way around the cache', C10: 'Simultaneous misses share one call', C11: 'Misses are remembered for 30 s',
  // Text
  M1: 'Line starts forge no block', M2: 'Backticks and tildes forge no code', M3: 'Text forges no link', M4: 'Text forges no image; pictures only from X', M5: 'Text forges no HTML',
  M6: 'Frontmatter parses back to the same strings', M7: 'Invisible characters are left out of Markdown', M8: 'Output is well-formed and independent of locale', M10: 'Pages run no script',
  P6: 'Left-out characters are counted in a warning',
  // Denial of service and logs
  D1: 'No regular expression explodes', D2: 'Inputs are bounded', D5: 'Provider calls per request are bounded', D6: 'Log lines are one JSON object each, capped',
  // Provider faults
  S1: 'No answer', S2: 'A trickle', S3: 'A huge body', S4: 'A compression bomb', S5: 'A redirect', S6: 'HTML with 200', S7: 'A truncated or reset answer', S8: 'Endless quotes',
  S9: 'An empty object', S10: 'A bare 404', S11: 'A source that finds nothing any more', S12: 'Another post', S13: 'Retry-After', S14: 'Unknown, missing and null members',
};
