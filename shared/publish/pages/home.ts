// The front page for who reads Markdown.

import { documents } from '../../contract/documents.ts';
import { MCP_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';

const link = (name: keyof typeof documents): string => `[${documents[name].title}](${B}${documents[name].path})`;

export const homePage = (): string => `# Postern

A read-only door to what is already public on X. Put this address in the place of \`https://x.com\` and read the post as clean Markdown or JSON, with its thread, quotes, pictures and replies. Profiles, followers and searches work the same way. No account, no key, nothing that writes.

\`\`\`sh
curl ${B}/jack/status/20
curl '${B}/jack/status/20?format=json'
curl ${B}/X
curl ${B}/X/followers
curl '${B}/search?q=tide'
\`\`\`

Every error is a problem document with a stable \`code\` and a \`resolution\`; on 429 and 503 wait the seconds of \`Retry-After\`.

- ${link('docs')}: ${link('quickstart')}, ${link('errors')}, ${link('versioning')}
- ${link('mcp')}, for agents, at \`${B}${MCP_PATH}\`
- ${link('openapi')}, ${link('apiIndex')}, ${link('apiCatalog')}, ${link('ard')}
- ${link('llms')}

No cookie and no tracker. Addresses of readers are not stored; counters hold a keyed hash of them, which expires after a day. Postern is not affiliated with X.
`;
