// Checks on the sample that tasks of an agent end without a dead end: with an answer, with the call that has the answer, or
// with what X does not show.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistry } from '../../../functions/mcp/create-registry.ts';
import type { ToolContext, ToolResult } from '../../../functions/mcp/registry.ts';
import { type ChosenUpstream, chooseUpstream } from '../../../infra/local/choose-upstream.ts';
import { environmentOfOneCaller, portsOfOneCaller } from '../../../infra/local/in-process.ts';
import { namedCall } from '../../support/mcp-calls.ts';
import { resultText } from '../../support/mcp-registry.ts';

let upstream: ChosenUpstream;
let callTool: (name: string, args: object) => Promise<ToolResult>;

beforeAll(async () => {
  upstream = await chooseUpstream({ UPSTREAM: 'sample' });
  const ports = portsOfOneCaller(environmentOfOneCaller({}, upstream).environment, () => undefined, true);
  const registry = createRegistry(ports);
  const caller = () => ports.accessControl.identify({ authorization: undefined, ip: '192.0.2.1' });
  const context: ToolContext = {
    baseUrl: 'https://postern.example',
    clientIp: '192.0.2.1',
    facts: {},
    caller,
    callerByNetwork: caller,
  };
  callTool = (name, args) => registry.callTool(name, args, context);
});

afterAll(() => upstream.close());

const POST = 'https://x.com/ada_larsson/status/2028036267832246272';

/** The task, the first call of an agent, the calls that it takes, and what the end says. */
const TASKS: readonly (readonly [task: string, tool: string, args: object, calls: number, end: string])[] = [
  ['the posts of a list link', 'x_list_posts', { handle: 'https://x.com/i/lists/2026' }, 1, '# List 2026'],
  ['a list link in another tool', 'x_get_post', { url: 'https://x.com/i/lists/2026' }, 2, '# List 2026'],
  ['an account by its id', 'x_get_profile', { id: '2201001' }, 1, '@ada_larsson'],
  ['an account by its id as a handle', 'x_get_profile', { handle: '2201001' }, 2, '@ada_larsson'],
  ['who liked a post', 'x_list_replies', { id: POST, kind: 'likes' }, 1, 'only to the author of the post'],
  ['what a hashtag link has', 'x_search_posts', { q: 'https://x.com/hashtag/ferries' }, 1, '# Search: #ferries'],
  ['what a search link has', 'x_search_posts', { q: 'https://x.com/search?q=tide&f=live' }, 1, '## Latest posts'],
  ['what an account reposted', 'x_list_posts', { handle: 'kestrel_labs', reposts: 'include' }, 1, 'Reposted by'],
  ['why a post is gone', 'x_get_post', { id: '1990000000000000003' }, 1, 'Reason: suspended.'],
  ['a post and its thread', 'x_get_post', { url: 'https://x.com/i/status/2034932961899447678' }, 1, 'Thread'],
  ['a profile', 'x_get_profile', { handle: '@ada_larsson' }, 1, 'Marine acoustics'],
  ['the pictures of an account', 'x_list_posts', { handle: 'https://x.com/ada_larsson/media' }, 1, '# Media of'],
  ['who follows an account', 'x_list_followers', { handle: 'ada_larsson', limit: 2 }, 1, '# Followers of'],
  ['what others answered', 'x_list_replies', { id: '2034932961899447678', limit: 2 }, 1, '# Replies to'],
  ['who quoted a post', 'x_list_replies', { id: `${POST}/quotes`, limit: 2 }, 1, '# Quotes of'],
  ['several posts', 'x_get_posts', { ids: '["20","2034932961899447678"]' }, 1, '# 2 posts'],
];

test.each(TASKS)('[mcp 16] %s: %s %j ends in %i calls', async (_, tool, args, calls, end) => {
  let result = await callTool(tool, args);
  const texts = [resultText(result)];
  for (let next = namedCall(resultText(result)); result.isError && next && texts.length < 3; ) {
    result = await callTool(...next);
    texts.push(resultText(result));
    next = namedCall(resultText(result));
  }
  const ended = texts.at(-1);
  expect(ended).toContain(end);
  expect(texts).toHaveLength(calls);
  expect(ended).not.toMatch(/No posts (?:were found|are listed)/);
});
