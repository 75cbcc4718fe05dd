// Allowances and keys.

import { type AllowanceSetting, allowanceSettings, FAIR_USE, parseAllowance } from '../../contract/allowances.ts';
import type { KeyStatus } from '../../contract/headers.ts';
import { operationRows, operations, pathsOf, useCasesOf } from '../../contract/operations.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { MAX_RESPONSE_BYTES } from '../../contract/response-size.ts';
import { type UseCase, useCases } from '../../contract/use-cases.ts';
import { code, duration, fence, link, opening, sh, table, warned } from './parts.ts';

const V1 = `${B}${operations.searchPosts.path}`;

/** "10 in 1 minute". */
const worth = ({ preset }: AllowanceSetting): string => {
  const allowance = parseAllowance(preset);
  return allowance === undefined ? 'none' : `${allowance.count} in ${duration(allowance.seconds)}`;
};

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`;

const spending = (name: UseCase['allowance']): string =>
  operationRows
    .filter(([, operation]) => useCasesOf(operation).some((read) => useCases[read].allowance === name))
    .flatMap(([, operation]) => pathsOf(operation))
    .map((path) => `\`${path}\``)
    .join(', ');

const keyStatuses: Readonly<Record<KeyStatus, string>> = {
  valid: 'The key is good, and what it is worth holds.',
  anonymous: 'No Bearer key was sent. Any other scheme is as good as none.',
  invalid: `The key is unknown, malformed or disabled. The answer is 401 ${code('invalid_key')}.`,
  unverified:
    'Keys could not be looked up just now. The request was served with the allowance of callers without a key. It is no error.',
};

export const limitsPage = (): string => `${opening(
  'limits',
  'How much a caller may ask for, how a spent allowance is told, and what an optional key changes. Posts spend no allowance.',
)}

## Allowances

| Allowance | Spent by | Without a key | With a key |
| --- | --- | --- | --- |
| \`search\` | ${spending('search')} | ${worth(allowanceSettings.searchAnonymous)} | ${worth(allowanceSettings.searchKeyed)}, or what the key was given |
| \`browse\` | ${spending('browse')} | ${worth(allowanceSettings.browse)} | the same |
| fair use | ${spending('fair-use')} | ${FAIR_USE.count} in ${duration(FAIR_USE.seconds)} | the same |
| none | documents and pages | unlimited | unlimited |

\`/api/browse\` spends what its \`resource\` is. These are the defaults of the software: \`RateLimit-Policy\` on every answer says what holds here. An operator may add a burst limit within the window, and a pool that all searches without a key share.

- One allowance is shared by all addresses of a read: v1, permalink, alias and MCP tool.
- It is counted per key; without one per address of the caller, an IPv6 network of /64 being one.
- A read costs one, in whatever form. A page of a list is a read.
- Free of charge: an answer from a cache, a 304 from a cache, 400 and 401. 403 and 404 cost one.
- A failure of the source (5xx) is given back, once a minute for each thing that was asked for, and at most as often as the allowance has reads.
- Posts spend no allowance. Fair use bounds how many a caller's network has read from the source: it is counted by each instance for itself, so the bound is approximate, and no header tells of it. Beyond it the answer is 429 ${code('rate_limited')} with \`Retry-After\`. Each post of an MCP batch counts.
- Windows begin at another moment for each caller.

## What headers say

${sh(`curl -i -H 'Authorization: Bearer YOUR_KEY' '${V1}?q=tide&limit=3'`)}

${fence('http', 'X-Api-Key-Status: valid\nRateLimit-Policy: "search";q=…;w=…\nCache-Control: private, no-store')}

| Header | On | Says |
| --- | --- | --- |
| \`RateLimit-Policy\` | every answer of a route that costs something | per allowance: \`q\` reads in \`w\` seconds |
| \`RateLimit\` | answers that no shared cache stores: those with a key or of \`${MCP_PATH}\` that cost something, and 429 | \`r\` reads left, a new window in \`t\` seconds |
| \`Retry-After\` | 429, 503; at \`${MCP_PATH}\` also a result that says when to try again | seconds to wait |

Without a key an answer of REST may come from a shared cache, so it does not say what is left. Answers of \`${MCP_PATH}\` are never stored: they say it, with a key or without.

## When it is spent

${sh('# 429 rate_limited', `curl -i -H 'Authorization: Bearer YOUR_KEY' '${V1}?q=one+search+too+many'`)}

${fence('http', 'Retry-After: …\nRateLimit: "search";r=0;t=…\nContent-Type: application/problem+json')}

Wait exactly the seconds of \`Retry-After\`: then the next request is admitted. Until then a read that needs the source is refused again, unless a read that failed is given back meanwhile; a refusal costs nothing. What a cache holds is answered at any time. Where a pool is set, it may be the other callers who spent it; the policy in \`RateLimit\` is then \`"search-pool"\`.

To need less: ask for larger pages (\`limit\`), repeat a search only after its \`Cache-Control\` has run out, and send no key where you need none, since only answers without a key come from the shared cache.

## Keys

Nobody needs a key. One raises the search allowance; it shows nothing that is not public, and raises no other allowance. The operator of a service hands keys out; there is no way to get one from the API, no OAuth, no expiry and no renewal. Send it in one place:

${sh(
  `curl -H 'Authorization: Bearer YOUR_KEY' '${V1}?q=tide'`,
  '# 401 invalid_key',
  `curl -H 'Authorization: Bearer pstn_wrong' '${V1}?q=tide'`,
)}

Keys in the query, in other headers or by \`Basic\` are ignored. \`X-Api-Key-Status\` says what became of it:

${table(
  ['Status', 'Meaning'],
  Object.entries(keyStatuses).map(([status, meaning]) => [`\`${status}\``, meaning]),
)}

The header is on every answer of the routes that spend an allowance, once the key was looked at. Post and embed routes do not look at \`Authorization\` at all and never send it: a wrong key does no harm there.

- What is asked with a key is \`private, no-store\`, with any status.
- A key that is disabled or deleted is refused by the very next request. Do not repeat a request with a refused key: drop the header, or ask the operator for another key.
- To change a key, ask for a new one, use it, and have the old one deleted.
- Only a hash of a key is stored. The address of a reader is not: counters hold a keyed hash of it, which expires after a day. See ${link('selfHosting', 'what is kept', 'what-is-kept')}.

## Other limits

- Path and query: see ${code('uri_too_long')}. No route of REST reads a body; for \`${MCP_PATH}\` see ${link('mcp')}.
- A read takes at most about eight seconds; then it is 503 ${code('upstream_unavailable')}.
- A page holds at most what \`limit\` allows: see ${link('profiles', 'pages', 'pages')}.
- An answer has at most ${megabytes(MAX_RESPONSE_BYTES)}, as Lambda counts it. A page of a list ends earlier then, with \`next_cursor\` and the warning ${warned('partial_page')}; a conversation leaves out posts, and a post that is too large alone is cut, with the warning ${warned('truncated')}.
- Best effort: there is no SLA, and no way to buy one here.
`;
