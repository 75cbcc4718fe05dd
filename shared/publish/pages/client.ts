// A client with types, made from the OpenAPI description.

import { documents } from '../../contract/documents.ts';
import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import { code, fence, link, opening, sh } from './parts.ts';

const EXAMPLE = `
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './postern.d.ts';

const baseUrl = process.argv[2] ?? '${B}';
const client = createClient<paths>({ baseUrl, headers: { Accept: 'application/json' } });

const readPost = async (url: string) => {
  const { data, error } = await client.GET('${operations.readPost.path}', {
    params: { query: { url, format: 'json' } },
  });
  if (error) {
    // Every error has a code. These two say that there is nothing to read.
    if (error.code === 'post_not_found' || error.code === 'post_protected') return undefined;
    throw new Error(\`\${error.code}: \${error.resolution}\`);
  }
  // A 200 may be Markdown by its type; format=json has ruled that out.
  if (typeof data === 'string') throw new Error('JSON was asked for');
  return data;
};

const readFollowers = async (handle: string, cursor?: string) => {
  for (let attempt = 1; ; attempt += 1) {
    const { data, error, response } = await client.GET('${operations.listFollowers.path}', {
      params: { path: { handle }, query: { format: 'json', limit: 100, ...(cursor && { cursor }) } },
    });
    if (error) {
      const isBusy = error.code === 'rate_limited' || error.code === 'upstream_unavailable';
      if (!isBusy || attempt === 3) throw new Error(\`\${error.code}: \${error.resolution}\`);
      await sleep(1000 * Number(response.headers.get('Retry-After') ?? 30));
      continue;
    }
    if (typeof data === 'string') throw new Error('JSON was asked for');
    return data;
  }
};

async function* followersOf(handle: string) {
  let cursor: string | undefined;
  do {
    const page = await readFollowers(handle, cursor);
    yield* page.users;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

const first = await readPost('https://x.com/jack/status/20');
console.log(first?.post.text);
for (const { code } of first?.warnings ?? []) console.log('incomplete:', code);

console.log('deleted:', (await readPost('https://x.com/i/status/1990000000000000001')) === undefined);

let count = 0;
for await (const user of followersOf('X')) {
  count += 1;
  if (count <= 3) console.log(\`@\${user.handle}\`);
  if (count === 250) break;
}
console.log('followers read:', count);
`;

export const clientPage = (): string => `${opening(
  'client',
  'Make a typed client for TypeScript from the OpenAPI description, with two packages and no code of ours: answers, errors and parameters are checked by the compiler.',
)}

## Make the types

${sh(
  'npm install openapi-fetch',
  'npm install --save-dev openapi-typescript typescript',
  `npx openapi-typescript ${B}${documents.openapi.path} -o postern.d.ts`,
)}

Commit \`postern.d.ts\` and make it anew when you want what has been added since. Within v1 nothing is removed, so a client that compiles today goes on working.

## Use them

Save this as \`example.ts\` beside \`postern.d.ts\`. Node 24 runs it as it is, with \`node example.ts\`; the address of another service may follow.

${fence('ts', EXAMPLE)}

## What to look at

- **JSON or Markdown.** Most reads answer with either, so the type of a 200 is both. Say \`format: 'json'\`, and \`typeof data === 'string'\` tells the rest. For Markdown say \`format: 'markdown'\` and \`parseAs: 'text'\`.
- **Errors.** \`error\` is the problem document. Narrow it by \`error.code\`, never by its words; treat a code that you do not know like \`error.status\`. See ${link('errors')}.
- **Waiting.** \`response.headers.get('Retry-After')\` is there on 429 ${code('rate_limited')} and 503 ${code('upstream_unavailable')}. Wait that long and give up after a few times.
- **Pages.** Go on while there is \`next_cursor\`. A page may be short before the end.
- **Ids** are strings. Keep them so.
- **A key**, if you have one, is a header of the client: \`Authorization: 'Bearer YOUR_KEY'\`. It raises the search allowance alone: see ${link('limits')}.
- **Deprecation.** Log it when an answer has the header \`Deprecation\`: see ${link('versioning')}.

Clients in other languages can be generated from the same ${link('openapi')}; every operation has an \`operationId\`.
`;
