// Speaks MCP with `npm run mcp` over standard input and output, through the official client and by raw lines.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveLines } from '../../../client/commands/mcp/serve-lines.ts';
import { startLocalService } from '../../../infra/local/service.ts';
import { MAX_MESSAGE_BYTES, STATELESS_VERSION } from '../../../shared/contract/mcp.ts';
import { localOptions } from '../../support/local-service.ts';
import type { Variables } from '../../support/program-environment.ts';
import { firstLines, startProgram } from '../../support/programs.ts';

const PROGRAM = 'client/commands/mcp.ts';
const SAMPLE = { UPSTREAM: 'sample', DATA_DIR: 'memory' };
const POST = { url: 'https://x.com/jack/status/20' };

const connect = async (variables: Variables, args: readonly string[] = []): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' });
  const { PATH = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, ...args],
    env: { PATH, ...variables },
    stderr: 'ignore',
  });
  await client.connect(transport as never); // the type allows no undefined in optional members
  onTestFinished(() => client.close());
  return client;
};

const request = (id: number | string, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** @returns the answers of the program to these lines, by id, and how it ended */
const exchange = async (lines: readonly string[], variables: Variables = SAMPLE) => {
  const child = startProgram(PROGRAM, [], variables, 'pipe');
  const ended = once(child, 'exit');
  const output = text(child.stdout);
  child.stderr.resume();
  child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  const answers = (await output)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { answers, byId: new Map(answers.map((answer) => [answer.id, answer])), ended: await ended };
};

describe('npm run mcp', () => {
  test('[running 2] has the tools and prompts of /mcp, and the same answers', async () => {
    const service = await startLocalService(localOptions({ UPSTREAM: 'sample' }));
    onTestFinished(service.close);
    const overHttp = new Client({ name: 'test', version: '1' });
    await overHttp.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)) as never); // as above
    onTestFinished(() => overHttp.close());
    const alone = await connect(SAMPLE);
    const forwarding = await connect({ BASE_URL: service.origin });
    for (const client of [alone, forwarding]) {
      expect(await client.listTools()).toEqual(await overHttp.listTools());
      expect(await client.listResourceTemplates()).toEqual(await overHttp.listResourceTemplates());
      expect(await client.listPrompts()).toEqual(await overHttp.listPrompts());
      expect(client.getServerVersion()).toEqual(overHttp.getServerVersion());
      expect(JSON.stringify(await client.callTool({ name: 'x_get_post', arguments: POST }))).toContain(
        'just setting up my twttr',
      );
    }
    expect(await forwarding.listResources()).toEqual(await overHttp.listResources());
    const { contents } = await forwarding.readResource({ uri: 'skill://read-x/SKILL.md' });
    expect(contents).toHaveLength(1);
  });

  test('[save 6] leads to X where no service is', async () => {
    const client = await connect(SAMPLE);
    const post = { url: 'https://x.com/ada_larsson/status/2034932961899447678', replies: 'top' };
    const text = JSON.stringify(await client.callTool({ name: 'x_get_post', arguments: post }));
    expect(text).toContain('All replies: https://x.com/ada_larsson/status/2034932961899447678');
    const missing = await client.callTool({ name: 'x_get_post', arguments: { id: '29' } });
    expect(missing.isError).toBe(true);
    const { resources } = await client.listResources();
    const read = await Promise.all(resources.map(({ uri }) => client.readResource({ uri })));
    expect(read).not.toEqual([]);
    expect(text + JSON.stringify([missing, read])).not.toMatch(/127\.0\.0\.1|localhost/);
  });

  test('[running 2] --tools research offers search and fetch', async () => {
    const { tools } = await (await connect(SAMPLE, ['--tools', 'research'])).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
  });

  test('[running 2] answers each line with its own error or result, and ends with 0 at the end of the input', async () => {
    const stateless = {
      name: 'x_get_post',
      arguments: POST,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    };
    const { answers, byId, ended } = await exchange([
      '{"jsonrpc":',
      '',
      request('long', 'ping', { text: 'x'.repeat(MAX_MESSAGE_BYTES) }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 2 }),
      request(2, 'nonsense'),
      request('ü', 'tools/call', stateless),
      request(4, 'server/discover', { _meta: stateless._meta }),
      `${request(5, 'tools/call', { name: 'x_get_post', arguments: POST })}\r`,
    ]);
    expect(ended).toEqual([0, null]);
    expect(answers).toHaveLength(7);
    expect(
      answers
        .filter(({ id }) => id === null)
        .map(({ error }) => error.code)
        .toSorted(),
    ).toEqual([-32600, -32700]);
    expect([byId.get(1).error.code, byId.get(2).error.code]).toEqual([-32600, -32601]);
    expect(byId.get('ü').result.resultType).toBe('complete');
    expect(byId.get(4).result.supportedVersions).toContain(STATELESS_VERSION);
    expect(byId.get(5).result.content[0].text).toContain('just setting up my twttr');
  });

  test('[running 2] writes only messages to standard output, and ends with 0 on SIGTERM', async () => {
    const child = startProgram(PROGRAM, [], SAMPLE, 'pipe');
    const [ended, errors] = [once(child, 'exit'), text(child.stderr)];
    const answered = firstLines(child.stdout, 1);
    child.stdin?.write(`${request(1, 'tools/list')}\n`);
    expect(JSON.parse((await answered)[0] ?? '')).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await errors).toMatch(/^postern: MCP on standard input and output; upstream: sample/);
  });

  test('[running 2] refuses a batch after the handshake of a revision without batches', async () => {
    const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const child = startProgram(PROGRAM, [], SAMPLE, 'pipe');
    child.stderr.resume();
    const lines = child.stdout[Symbol.asyncIterator]();
    const ask = async (line: string) => {
      child.stdin?.write(`${line}\n`);
      return JSON.parse(String((await lines.next()).value));
    };
    const batch = `[${request(2, 'ping')}]`;
    expect(await ask(batch)).toMatchObject([{ id: 2, result: {} }]);
    await ask(request(1, 'initialize', { ...client, protocolVersion: '2025-06-18' }));
    expect(await ask(batch)).toMatchObject({ error: { code: -32600 } });
  });

  test('[running 2] an error names what is wrong with the service at BASE_URL or the API key', async () => {
    const service = await startLocalService(localOptions({ UPSTREAM: 'sample' }));
    onTestFinished(service.close);
    const call = [request(1, 'tools/list'), JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })];
    const refused = await exchange(call, { BASE_URL: service.origin, API_KEY: 'pstn_nonsense' });
    expect(refused.answers).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32603, message: expect.stringMatching(/API key/) } },
    ]);
    const unreachable = await exchange(call, { BASE_URL: 'http://127.0.0.1:1' });
    expect(unreachable.answers).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32603, message: 'The service at BASE_URL does not answer. Try again.' },
      },
    ]);
  });

  test.each([
    [['--nonsense'], {}, /^usage: /],
    [['--tools', 'all'], {}, /^usage: /],
    [[], { BASE_URL: 'nonsense' }, /^postern: BASE_URL must be the URL of a service\n$/],
    [[], { UPSTREAM: 'mock' }, /^postern: UPSTREAM must be auto, live or sample\n$/],
  ])('[running 2] ends with 1 and says why: %j %j', async (args, variables, message) => {
    const child = startProgram(PROGRAM, args, { DATA_DIR: 'memory', ...variables });
    const ended = once(child, 'exit');
    expect(await text(child.stderr)).toMatch(message);
    expect(await ended).toEqual([1, null]);
  });
});

describe('serveLines', () => {
  const serve = async (
    chunks: readonly (string | Buffer)[],
    answer: (message: string) => Promise<string | undefined>,
  ) => {
    const written: string[] = [];
    const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    await serveLines({ input, write: async (line) => void written.push(line), answer });
    return written;
  };

  test('[running 2] writes each answer as soon as it is there', async () => {
    const first = Promise.withResolvers<string>();
    const written = await serve(['slow\nfast\n'], async (message) => {
      if (message === 'slow') return first.promise;
      first.resolve('slow answer');
      return 'fast answer';
    });
    expect(written.toSorted()).toEqual(['fast answer\n', 'slow answer\n']);
  });

  test('[running 2] reads lines that come in pieces, within a character, and without an end', async () => {
    const [message, last] = ['{"text":"ü"}', '{}'];
    const bytes = Buffer.from(`${message}\n${last}`);
    const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(await serve(pieces, async (line) => line)).toEqual([`${message}\n`, `${last}\n`]);
  });

  test('[running 2] answers a line that is too long with one error, keeps nothing of it, and reads on', async () => {
    const long = Buffer.alloc(MAX_MESSAGE_BYTES, 'x');
    const seen: string[] = [];
    const written = await serve([long, long, 'x\nnext\n', long, '\n'], async (message) => {
      seen.push(message);
      return undefined;
    });
    expect(seen.map(({ length }) => length)).toEqual([4, MAX_MESSAGE_BYTES]);
    expect(written.map((line) => JSON.parse(line).error.code)).toEqual([-32600]);
  });

  test('[running 2] reads no further than 50 messages that wait for their answers', async () => {
    const release = Promise.withResolvers<void>();
    let most = 0;
    let running = 0;
    const serving = serve(
      Array.from({ length: 80 }, () => 'message\n'),
      async () => {
        running += 1;
        most = Math.max(most, running);
        if (running === 50) setImmediate(release.resolve);
        await release.promise;
        running -= 1;
        return 'answer';
      },
    );
    expect(await serving).toHaveLength(80);
    expect(most).toBe(50);
  });
});
