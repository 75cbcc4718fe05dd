// Counts the own files and functions that a warm request runs through: the precise coverage of V8 of a second request, which
// finds its code loaded and its answer in no cache. The functions run in this process, and the sample answers.
import { Session } from 'node:inspector/promises';
import { createMcpEndpoint, type McpEndpoint } from '../client/commands/mcp/endpoint.ts';
import { type InProcess, startInProcess } from '../infra/local/in-process.ts';

interface Apps {
  readonly service: InProcess;
  readonly tools: McpEndpoint;
}

type Send = (apps: Apps) => Promise<void>;

const get =
  (path: string, Accept: string): Send =>
  async ({ service }) => {
    const response = await service.fetch(`${service.origin}${path}`, { headers: { Accept }, signal: null });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.text();
  };

const call =
  (name: string, args: object): Send =>
  async ({ tools }) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await tools.answer(JSON.stringify(message));
    if (!answer?.includes('"result"') || answer.includes('"isError":true')) throw new Error(`${name}: ${answer}`);
  };

/** The same kind of request twice: the first loads the code. */
const requests: Readonly<Record<string, readonly [first: Send, second: Send]>> = {
  permalink: [get('/jack/status/20', 'text/html'), get('/ada_larsson/status/2034932961899447678', 'text/html')],
  search: [get('/api/v1/search?q=tide', 'application/json'), get('/api/v1/search?q=ferries', 'application/json')],
  'tool call': [
    call('x_get_post', { id: '20' }),
    call('x_get_post', { url: 'https://x.com/ada_larsson/status/2034932961899447678' }),
  ],
  feed: [get('/kestrel_labs/rss', '*/*'), get('/ada_larsson/rss', '*/*')],
};

const OWN = /\/(?:shared|functions)\/[^:]*\.ts$/;

export interface RequestPath {
  readonly name: string;
  readonly files: number;
  readonly functions: number;
}

/** @returns the called functions of each own file that has some */
const takeCounts = async (session: Session): Promise<readonly number[]> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => OWN.test(url))
    .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
    .filter((count) => count > 0);
};

export const measureRequestPaths = async (): Promise<readonly RequestPath[]> => {
  const environment = { UPSTREAM: 'sample', DATA_DIR: 'memory' };
  const service = await startInProcess(environment);
  const tools = await createMcpEndpoint({ environment, toolSet: undefined, writeLog: () => undefined });
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const paths: RequestPath[] = [];
    for (const [name, [first, second]] of Object.entries(requests)) {
      await first({ service, tools });
      await takeCounts(session); // starts the counts again
      await second({ service, tools });
      const counts = await takeCounts(session);
      paths.push({ name, files: counts.length, functions: counts.reduce((sum, count) => sum + count, 0) });
    }
    return paths;
  } finally {
    session.disconnect();
    await tools.close();
    await service.close();
  }
};
