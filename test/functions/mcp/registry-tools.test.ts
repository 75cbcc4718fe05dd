import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { InvalidParams } from '../../../functions/mcp/registry.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { warning } from '../../../shared/contract/warnings.ts';
import { upstreamWithLists } from '../../support/browse-routes.ts';
import { mcpCalls, rpc } from '../../support/mcp-calls.ts';
import { createTestRegistry, LABEL, resultText, splitResultText } from '../../support/mcp-registry.ts';
import { mcpHandler } from '../../support/mcp-server.ts';
import { found, page, post, user } from '../../support/test-app.ts';

// biome-ignore format: side by side they fit on a screen
const NAMES = [
  'x_get_post', 'x_get_profile', 'x_list_posts', 'x_list_followers', 'x_list_following', 'x_search_posts',
  'x_get_posts', 'x_list_replies',
];

const CALLS: readonly (readonly [string, object, string])[] = [
  ['x_get_post', { url: 'https://x.com/jack/status/20' }, 'just setting up my twttr'],
  ['x_get_profile', { handle: 'jack' }, '@jack'],
  ['x_list_posts', { handle: 'jack' }, 'just setting up my twttr'],
  ['x_get_profile', { id: '12' }, 'id:12'],
  ['x_list_posts', { id: '12' }, 'just setting up my twttr'],
  ['x_list_followers', { handle: 'jack' }, '@ada'],
  ['x_list_following', { handle: 'jack' }, '@ada'],
  ['x_list_replies', { id: '20' }, 'just setting up my twttr'],
  ['x_list_replies', { id: '20', kind: 'quotes' }, 'just setting up my twttr'],
  ['x_list_replies', { id: '20', kind: 'reposts' }, '@ada'],
  ['x_search_posts', { q: 'twttr' }, 'just setting up my twttr'],
  ['x_get_posts', { ids: ['20', '21'] }, 'just setting up my twttr'],
];

const LIST_CALLS = CALLS.filter(([name]) => !name.startsWith('x_get_post'));

const { registry } = createTestRegistry();

/** Returns the value and every object and array inside it. */
const within = (value: unknown): readonly object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(within)] : [];

describe('list of tools', () => {
  test('the list of tools has less than 8,000 characters as it is sent, in both protocols', async () => {
    const { call, callStateless } = mcpCalls(mcpHandler(registry));
    expect((await call(rpc('tools/list'))).body.length).toBeLessThan(8000);
    expect((await callStateless('tools/list')).body.length).toBeLessThan(8000);
  });

  test('the descriptions name only tools that exist', () => {
    for (const { description } of registry.tools)
      for (const [name] of description.matchAll(/x_[a-z_]+/g)) expect(NAMES).toContain(name);
  });

  test.each(['quote', 'who quoted', 'repost', 'who reposted', 'retweeted', 'who replied'])(
    '[mcp 5] a search of the list for %j finds x_list_replies',
    (words) => {
      const tool = registry.tools.find(({ name }) => name === 'x_list_replies');
      const text = `${tool?.title}. ${tool?.description}`.toLowerCase();
      for (const word of words.split(' ')) expect(text).toContain(word);
      expect(tool?.inputSchema['properties']).toMatchObject({ kind: { enum: ['replies', 'quotes', 'reposts'] } });
    },
  );

  test.each(registry.tools)('[mcp 10] max_tokens of $name says what it bounds and what happens beyond', (tool) => {
    expect(tool.inputSchema['properties']).toMatchObject({
      max_tokens: { description: 'Of text, default 6000; a cut says how to go on.' },
    });
  });

  test('[mcp 6] descriptions of tools have at most 400 characters, and those of arguments 61', () => {
    for (const { name, description, inputSchema } of registry.tools) {
      expect(description.length, name).toBeLessThanOrEqual(400);
      for (const property of Object.values(Object(inputSchema['properties'])))
        expect(property, name).toMatchObject({ description: expect.stringMatching(/^.{2,61}$/) });
    }
  });

  test.each(registry.tools)(
    '[mcp 3] $name has a title, a description, read-only annotations and no output schema',
    (tool) => {
      expect(tool).not.toHaveProperty('outputSchema');
      expect(tool.title).toMatch(/^[A-Z]/);
      expect(tool.description.match(/[.]( |$)/g)?.length).toBeGreaterThanOrEqual(2);
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      });
    },
  );

  test.each(registry.tools)('$name has an open input schema without type arrays', ({ inputSchema }) => {
    expect(inputSchema).toMatchObject({ type: 'object' });
    expect(() => new Ajv2020({ strict: true, strictTypes: true, formats: {} }).compile(inputSchema)).not.toThrow();
    for (const part of within(inputSchema)) {
      expect(part).not.toHaveProperty('additionalProperties');
      expect(part).not.toHaveProperty('oneOf');
      expect(part).not.toHaveProperty('$ref');
      expect(Array.isArray(Reflect.get(part, 'type'))).toBe(false);
    }
    for (const property of Object.values(Object(inputSchema['properties'])))
      expect(property).toHaveProperty('description');
  });

  test('the tools require only arguments that every call needs', () => {
    const required = registry.tools.map(({ inputSchema }) => String(inputSchema['required'] ?? ''));
    expect(required).toEqual(['', '', '', 'handle', 'handle', 'q', 'ids', 'id']);
    for (const { inputSchema } of registry.tools)
      expect(inputSchema['properties']).toMatchObject({ format: { enum: ['markdown', 'json'] } });
    expect(registry.tools[1]?.inputSchema['properties']).toMatchObject({
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
    });
  });
});

describe('tool calls', () => {
  test.each(CALLS)(
    '[mcp 3] %s returns one text with its label and source, and no structured content',
    async (name, args, expectedText) => {
      const result = await createTestRegistry().call(name, args);
      expect(result.isError).toBeUndefined();
      const { label, quote, notes } = splitResultText(resultText(result));
      expect(label).toBe(LABEL);
      expect(quote.join('\n')).toContain(expectedText);
      for (const line of quote) expect(line).toMatch(/^> /);
      expect(notes[0]).toBe('Source: fxtwitter, read at 2026-11-21T12:00:00.000Z.');
      expect(result._meta).toEqual({ 'postern/trust': { integrity: 'untrusted', confidentiality: 'public' } });
      expect(Object.keys(result)).toEqual(['content', '_meta']);
    },
  );

  const POST_LIST_CALLS = LIST_CALLS.filter(([, args]) => !('kind' in args && args.kind === 'reposts'));

  test.each(POST_LIST_CALLS)('[lists 4] %s has no figures of posts unless metrics is on', async (name, args) => {
    const { call, registry } = createTestRegistry({ upstream: upstreamWithLists(3) });
    const figures = / likes?\b| reposts?\b/;
    const properties = registry.tools.find((tool) => tool.name === name)?.inputSchema['properties'];
    if (/follow/.test(name)) {
      expect(properties).not.toHaveProperty('metrics');
      return;
    }
    expect(properties).toMatchObject({ metrics: { enum: ['on', 'off'], default: 'off' } });
    expect(resultText(await call(name, args))).not.toMatch(figures);
    expect(resultText(await call(name, { ...args, metrics: 'off' }))).not.toMatch(figures);
    expect(resultText(await call(name, { ...args, metrics: true }))).toMatch(figures);
  });

  test('[lists 4] posts that are requested by id have figures unless metrics is off', async () => {
    const { call } = createTestRegistry();
    for (const [name, args] of [
      ['x_get_post', { id: '20' }],
      ['x_get_posts', { ids: ['20'] }],
    ] as const) {
      expect(resultText(await call(name, args))).toMatch(/ likes?\b/);
      expect(resultText(await call(name, { ...args, metrics: 'off' }))).not.toMatch(/ likes?\b/);
    }
  });

  test('[lists 5] a list of a tool names the tool and the id that read the whole of a cut post', async () => {
    const text = 'word '.repeat(300);
    const items = [{ ...post('21'), text }];
    const { call } = createTestRegistry({ upstream: { listPosts: async () => found(page(items)) } });
    const { quote } = splitResultText(resultText(await call('x_search_posts', { q: 'word' })));
    expect(quote).toContain('> Read on: x_get_post with id "21"');
    const json = await call('x_search_posts', { q: 'word', format: 'json' });
    expect(json.structuredContent).toMatchObject({ posts: [{ text }] });
  });

  test('x_search_posts notes that a list of accounts is partial', async () => {
    const listUsers = async () => found(page([user('ada')]), [warning('users_partial')]);
    const { call } = createTestRegistry({ upstream: { listUsers } });
    const text = resultText(await call('x_search_posts', { q: 'ada', feed: 'users' }));
    expect(splitResultText(text).notes[1]).toBe(
      'Note: The source suggests a few accounts for a search and does not list all of them.',
    );
  });

  test.each(['x_get_embed', '', 'toString', 'readPost', '__proto__'])(
    'calling the unknown tool %j fails with the list of tools',
    async (name) => {
      const rejection = createTestRegistry().call(name, {});
      await expect(rejection).rejects.toThrow(InvalidParams);
      await expect(rejection).rejects.toThrow(`There is no such tool. There are: ${NAMES.join(', ')}.`);
    },
  );
});

test('the server info names the version, and the instructions have at most 120 words', () => {
  expect(registry.serverInfo).toEqual({ name: 'postern', title: 'Postern', version: packageJson.version });
  expect(registry.instructions.split(/\s+/).length).toBeLessThanOrEqual(120);
});
