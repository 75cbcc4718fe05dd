// Runs `npm run measure -- agent`: counts the calls and tokens that twelve tasks of an agent take, by a client of the MCP SDK
// on the sample data.
//
//   --url http://127.0.0.1:3000/mcp   the server
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerHelp } from '../../infra/command/answer-help.ts';
import { formatNumber } from '../../shared/render/content/format.ts';

answerHelp();

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];
/** A call, or what an agent makes of the text before. */
type Step = Call | ((text: string) => Call);

/** The last text, or a block beside it, has what is expected. */
type Task = readonly [name: string, expected: RegExp, ...steps: readonly Step[]];

const THREAD = '2034932961899447678';
const ARTICLE = '2033845798302647530';
const PICTURES = '2032048958469046864';
const QUOTED = '2028036267832246272';

const cursorIn = (text: string): string => /cursor "([^"]+)"/.exec(text)?.[1] ?? '';

const tasks: readonly Task[] = [
  ['Summarize a thread', /hydrophone/, ['x_get_post', { id: THREAD, layout: 'unrolled' }]],
  ['Compare its replies', /Replies to a post/, ['x_list_replies', { id: THREAD, limit: 20 }]],
  [
    'Find the third section of an article',
    /\n> ## /,
    ['x_list_posts', { handle: 'ada_larsson', kind: 'articles' }],
    (text) => ['x_get_post', { id: /x_get_post with id "(\d+)"/.exec(text)?.[1] ?? ARTICLE, layout: 'unrolled' }],
  ],
  ['Who quoted it?', /haru_k/, ['x_list_replies', { id: QUOTED, kind: 'quotes' }]],
  [
    'What did @a and @b say in March?',
    /kestrel_labs/,
    ['x_list_posts', { handle: 'ada_larsson,kestrel_labs', since: '2026-03-01', until: '2026-04-01' }],
  ],
  [
    'The next page of a search',
    /Search: tide/,
    ['x_search_posts', { q: 'tide', limit: 5 }],
    (text) => ['x_search_posts', { q: 'tide', limit: 5, cursor: cursorIn(text) }],
  ],
  ['What do the pictures show?', /^image$/m, ['x_get_post', { id: PICTURES, replies: 'off', images: 4 }]],
  ['What does an Arabic post say?', /sea/, ['x_get_post', { id: '2029172504785846383', replies: 'off', lang: 'en' }]],
  ['Who is @a?', /followers/, ['x_get_profile', { handle: 'ada_larsson', limit: 3 }]],
  ['Who follows them?', /Followers of @ada_larsson/, ['x_list_followers', { handle: 'ada_larsson', limit: 10 }]],
  [
    'Read three posts from links',
    /twttr/,
    ['x_get_posts', { ids: ['20', QUOTED, `https://x.com/kestrel_labs/status/${PICTURES}`] }],
  ],
  [
    'What did @a post with pictures?',
    /pbs\.twimg\.com/,
    ['x_list_posts', { handle: 'ada_larsson', kind: 'media', limit: 5 }],
  ],
];

const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://127.0.0.1:3000/mcp' } } });
const client = new Client({ name: 'agent', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(values.url)) as never); // the type allows no undefined in optional members

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);

interface Block {
  readonly type: string;
  readonly text?: string;
}

const run = async ([name, expected, ...steps]: Task): Promise<string> => {
  let tokens = 0;
  let text = '';
  let images = 0;
  for (const step of steps) {
    const [tool, args] = typeof step === 'function' ? step(text) : step;
    const { content, isError } = await client.callTool({ name: tool, arguments: args });
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
    const blocks: readonly Block[] = Array.isArray(content) ? content : [];
    text = blocks.map((block) => block.text ?? block.type).join('\n');
    images += blocks.filter(({ type }) => type === 'image').length;
    tokens += tokensOf({ tool, args }) + Math.ceil(Buffer.byteLength(blocks[0]?.text ?? '') / 4);
  }
  if (!expected.test(text)) throw new Error(`${name}: the last text has not what was expected`);
  return `${steps.length} | ${formatNumber(tokens)}${images === 0 ? '' : ` and ${images} images`}`;
};

const { tools } = await client.listTools();
console.log(
  `| Task | Calls | Tokens |\n| --- | --- | --- |\n| The list of tools | 1 | ${formatNumber(tokensOf(tools))} |`,
);
for (const task of tasks) console.log(`| ${task[0]} | ${await run(task)} |`);
await client.close();
