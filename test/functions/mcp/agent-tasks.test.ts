// Checks on the sample that tasks of an agent end without a dead end: with an answer, with the call that has the answer, or
// with what X does not show. An agent calls tools, or sends the requests that the skill teaches.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistry } from '../../../functions/mcp/create-registry.ts';
import type { ToolContext, ToolResult } from '../../../functions/mcp/registry.ts';
import { type ChosenUpstream, chooseUpstream } from '../../../infra/local/choose-upstream.ts';
import {
  environmentOfOneCaller,
  type InProcess,
  portsOfOneCaller,
  startInProcess,
} from '../../../infra/local/in-process.ts';
import { queryString } from '../../../shared/contract/query-string.ts';
import { skill } from '../../../shared/contract/skill.ts';
import { parseText, textTarget } from '../../../shared/model/account-list.ts';
import { namedCall } from '../../support/mcp-calls.ts';
import { resultText } from '../../support/mcp-registry.ts';

let upstream: ChosenUpstream;
let service: InProcess;
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
  service = await startInProcess({ UPSTREAM: 'sample' });
  callTool = (name, args) => registry.callTool(name, args, context);
});

afterAll(async () => {
  await upstream.close();
  await service.close();
});

const POST = 'https://x.com/ada_larsson/status/2028036267832246272';

/** The first call of an agent, the calls that it takes, and what the end says. */
interface Task {
  readonly task: string;
  readonly call: readonly [tool: string, args: object];
  readonly calls: number;
  readonly end: string;
  /** The request that the skill teaches. Unset: the skill says that X does not show it. */
  readonly request?: string;
  /** In the skill. */
  readonly taught: string;
}

const TASKS: readonly Task[] = [
  {
    task: 'the posts of a list link',
    call: ['x_list_posts', { handle: 'https://x.com/i/lists/2026' }],
    calls: 1,
    end: '# List 2026',
    request: '/https://x.com/i/lists/2026',
    taught: '/https://x.com/',
  },
  {
    task: 'a list link in another tool',
    call: ['x_get_post', { url: 'https://x.com/i/lists/2026' }],
    calls: 2,
    end: '# List 2026',
    request: '/i/lists/2026',
    taught: '/i/lists/2026',
  },
  {
    task: 'an account by its id',
    call: ['x_get_profile', { id: '2201001' }],
    calls: 1,
    end: '@ada_larsson',
    request: '/i/user/2201001',
    taught: '/i/user/12',
  },
  {
    task: 'an account by its id as a handle',
    call: ['x_get_profile', { handle: '2201001' }],
    calls: 2,
    end: '@ada_larsson',
    request: '/i/user/2201001',
    taught: '/i/user/12',
  },
  {
    task: 'who liked a post',
    call: ['x_list_replies', { id: POST, kind: 'likes' }],
    calls: 1,
    end: 'only to the author of the post',
    taught: 'home timelines, likes',
  },
  {
    task: 'what a hashtag link has',
    call: ['x_search_posts', { q: 'https://x.com/hashtag/ferries' }],
    calls: 1,
    end: '# Search: #ferries',
    request: '/https://x.com/hashtag/ferries',
    taught: 'hashtags',
  },
  {
    task: 'what a search link has',
    call: ['x_search_posts', { q: 'https://x.com/search?q=tide&f=live' }],
    calls: 1,
    end: '## Latest posts',
    request: '/https://x.com/search?q=tide&f=live',
    taught: 'searches',
  },
  {
    task: 'what an account reposted',
    call: ['x_list_posts', { handle: 'kestrel_labs', reposts: 'include' }],
    calls: 1,
    end: 'Reposted by',
    request: '/kestrel_labs?reposts=include',
    taught: '/jack?reposts=include',
  },
  {
    task: 'why a post is gone',
    call: ['x_get_post', { id: '1990000000000000003' }],
    calls: 1,
    end: 'suspended',
    request: '/i/status/1990000000000000003',
    taught: '404 means',
  },
  {
    task: 'a post and its thread',
    call: ['x_get_post', { url: 'https://x.com/i/status/2034932961899447678' }],
    calls: 1,
    end: 'Thread',
    request: '/https://x.com/i/status/2034932961899447678',
    taught: '/https://x.com/',
  },
  {
    task: 'a profile',
    call: ['x_get_profile', { handle: '@ada_larsson' }],
    calls: 1,
    end: 'Marine acoustics',
    request: '/ada_larsson',
    taught: '/jack`',
  },
  {
    task: 'the pictures of an account',
    call: ['x_list_posts', { handle: 'https://x.com/ada_larsson/media' }],
    calls: 1,
    end: '# Media of',
    request: '/ada_larsson/media',
    taught: '`/media`',
  },
  {
    task: 'who follows an account',
    call: ['x_list_followers', { handle: 'ada_larsson', limit: 2 }],
    calls: 1,
    end: '# Followers of',
    request: '/ada_larsson/followers',
    taught: '/jack/followers',
  },
  {
    task: 'what others answered',
    call: ['x_list_replies', { id: '2034932961899447678', limit: 2 }],
    calls: 1,
    end: '# Replies to',
    request: '/i/status/2034932961899447678/replies',
    taught: '/jack/status/20/replies',
  },
  {
    task: 'who quoted a post',
    call: ['x_list_replies', { id: `${POST}/quotes`, limit: 2 }],
    calls: 1,
    end: '# Quotes of',
    request: '/ada_larsson/status/2028036267832246272/quotes',
    taught: '`/quotes`',
  },
  {
    task: 'several posts',
    call: ['x_get_posts', { ids: '["20","2034932961899447678"]' }],
    calls: 1,
    end: '# 2 posts',
    request: '/api/v1/posts/lookup?ids=20,2034932961899447678',
    taught: '/lookup?ids=20,21',
  },
];

const NOTHING = /No posts (?:were found|are listed)/;

test.each(TASKS)('[mcp 16] $task: $call ends in $calls calls', async ({ call, calls, end }) => {
  let result = await callTool(...call);
  const texts = [resultText(result)];
  for (let next = namedCall(resultText(result)); result.isError && next && texts.length < 3; ) {
    result = await callTool(...next);
    texts.push(resultText(result));
    next = namedCall(resultText(result));
  }
  const ended = texts.at(-1);
  expect(ended).toContain(end);
  expect(texts).toHaveLength(calls);
  expect(ended).not.toMatch(NOTHING);
});

/** A link behind the service is redirected to the address that it means. */
const pathOf = (request: string): string => {
  const meaning = request.startsWith('/https:') ? parseText(request.slice(1)) : undefined;
  if (meaning === undefined) return request;
  if (meaning.kind === 'error') throw new Error(request);
  const { path, query } = textTarget(meaning);
  return query === undefined ? path : `${path}?${queryString(query)}`;
};

test.each(TASKS)('[discovery 9] $task: the skill says how', async ({ request, end, taught }) => {
  expect(skill('https://postern.example')).toContain(taught);
  if (request === undefined) return;
  const answer = await service.fetch(`${service.origin}${pathOf(request)}`, { headers: {}, signal: null });
  expect([200, 404]).toContain(answer.status);
  const body = await answer.text();
  expect(body).toContain(end);
  expect(body).not.toMatch(NOTHING);
});
