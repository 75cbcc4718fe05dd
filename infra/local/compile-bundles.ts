// Compiles each bundle and keeps the code in a file beside it, which infra/build/loader.ts reads. V8 compiles a function at
// its first call, so this program answers requests from sample data and keeps what they compiled. It fails if a bundle does
// not answer. infra/build/compiled-code.ts and .ci/upgrades start it:
//
//   compile-bundles.ts DIST              compiles with this Node
//   compile-bundles.ts DIST COMMAND ...  compiles with a Node that an emulator runs, to which this process lends its servers
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { Script } from 'node:vm';
import { createProxyPath } from '../../shared/auth/picture-signatures.ts';
import { type Environment, readCursorSecrets } from '../../shared/composition/environment.ts';
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { MEDIA } from '../../shared/contract/other-functions.ts';
import type { HttpEvent } from '../../shared/http/event.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults, localEnv } from '../../shared/settings/local-service.ts';
import { withChecksum } from '../build/checked-code.ts';
import { LAMBDA_FLAG } from '../build/compiled-code.ts';
import { bundleFile } from '../build/dist-layout.ts';
import { createApiGateway, createFunctionUrl } from './api-gateway.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { startDynamoDb } from './dynamodb.ts';
import { type FunctionHost, lambdaContext } from './function-host.ts';
import { loadCursorSecret, localEnvironment, resolveOperatorToken } from './local-environment.ts';
import { SLOW_TIME_OPTIONS } from './slow-time.ts';

/** Runs a bundle as its loader does. */
const run = (file: string) => {
  const source = readFileSync(file);
  const script = new Script(Module.wrap(source.toString('latin1')), { filename: file });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  const keep = (): void => {
    writeFileSync(`${file}.${process.version}-${process.arch}`, withChecksum(script.createCachedData(), source));
  };
  return { exports: module.exports, keep };
};

const POST = 'https://x.com/jack/status/20';
const QUERY = new URLSearchParams({ q: 'postern', url: POST }).toString();
/** Every function ignores the parameters that are not its own. */
const PATHS = [
  '/jack/status/20',
  '/jack',
  '/search',
  '/api/v1/posts/20/replies',
  '/api/v1/oembed',
  '/api/convert',
  '/docs',
  '/admin',
];
const TYPES = ['text/html', 'text/markdown', 'application/json'];
const MESSAGES = [
  { method: 'tools/list' },
  { method: 'tools/call', params: { name: 'x_get_post', arguments: { url: POST } } },
];

/** A type that a route does not have is a 406, and the API of operators needs a session. */
const requireAnswer = (what: string, statuses: readonly number[]): void => {
  if (!statuses.includes(200) || statuses.some((status) => status >= 500))
    throw new Error(`${what} was answered with ${statuses.join(', ')}`);
};

const base = { query: QUERY, sourceIp: '192.0.2.1', body: Buffer.alloc(0) };
const headers = { 'x-origin-secret': localDefaults.originSecret, 'x-viewer-ip': base.sourceIp };

const answerRequests = async (functions: FunctionHost): Promise<void> => {
  const api = createApiGateway(functions, console.error);
  for (const path of PATHS) {
    const statuses: number[] = [];
    for (const accept of TYPES)
      statuses.push((await api({ ...base, method: 'GET', path, headers: { ...headers, accept } })).status);
    requireAnswer(path, statuses);
  }
  const mcp = createFunctionUrl(functions, console.error);
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  for (const message of MESSAGES) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
    const answer = await mcp({ ...base, method: 'POST', path: '/mcp', headers: { ...headers, ...types }, body });
    const { result } = asRecord(parseJson(answer.body.toString())) ?? {};
    const { isError } = asRecord(result) ?? { isError: true };
    requireAnswer(message.method, isError === true ? [500] : [answer.status]);
  }
};

/** What Lambda defines for functions that stream. Here such a function returns its status, as others do. */
const awslambda = {
  streamifyResponse: (answer: (event: HttpEvent, stream: Writable) => Promise<void>) => async (event: HttpEvent) => {
    const stream = new PassThrough().resume();
    await answer(event, stream);
    return { statusCode: Reflect.get(stream, 'statusCode') };
  },
  HttpResponseStream: { from: (stream: Writable, head: object) => Object.assign(stream, head) },
};

/** Of the sample. */
const FILES = [
  'https://pbs.twimg.com/profile_images/2201010/md_breaker_200x200.jpg',
  'https://video.twimg.com/tweet_video/G445829046012.mp4',
];
/** A part without the first bytes of the file reads them as well. */
const RANGES = [undefined, 'bytes=0-99', 'bytes=100-'];

const answerFileRequests = async (functions: object): Promise<void> => {
  const [secret = ''] = readCursorSecrets(process.env);
  for (const [name, answer] of Object.entries(functions)) {
    const url = createFunctionUrl((_, event) => answer(event), console.error);
    for (const path of FILES.map(createProxyPath(secret))) {
      const statuses: number[] = [];
      for (const range of RANGES) {
        const fields = { ...headers, ...(range !== undefined && { range }) };
        statuses.push((await url({ ...base, query: '', method: 'GET', path: path ?? '', headers: fields })).status);
      }
      requireAnswer(`${MEDIA}.${name}`, statuses);
    }
  }
};

/** An emulator runs neither the process of the store nor the sample in time. */
const SERVERS = 'COMPILE_SERVERS';

const startServers = async (): Promise<Environment> => {
  const given = { [localEnv.dataDir]: 'memory', [env.upstream]: 'sample' };
  const [upstream, store] = await Promise.all([chooseUpstream(given), startDynamoDb(given)]);
  const { environment: operator } = resolveOperatorToken(given);
  return { ...upstream.environment, ...store.environment, ...operator, ...loadCursorSecret(given).environment };
};

const compile = async (dist: string, servers: Environment): Promise<void> => {
  process.env = { ...localEnvironment(servers) }; // No setting of the operator's shell may stop a function.
  Object.assign(globalThis, { awslambda });
  const bundles = new Map(lambdaNames.map((name) => [name, run(bundleFile(dist, name))]));
  const media = run(bundleFile(dist, MEDIA));
  await answerRequests((name, event) =>
    Reflect.get(bundles.get(name)?.exports ?? {}, 'handler')(
      event,
      lambdaContext(name, event.requestContext.requestId),
    ),
  );
  await answerFileRequests(media.exports);
  for (const { keep } of [...bundles.values(), media]) keep();
};

const [, , dist = '', command, ...options] = process.argv;
const lent = process.env[SERVERS];
const servers = lent === undefined ? await startServers() : JSON.parse(lent);
if (command === undefined) await compile(dist, servers);
else {
  const emulated = spawn(command, [...options, LAMBDA_FLAG, ...SLOW_TIME_OPTIONS, import.meta.filename, dist], {
    env: { PATH: process.env['PATH'], [SERVERS]: JSON.stringify(servers) },
    stdio: 'inherit',
  });
  const [code] = await once(emulated, 'exit');
  process.exitCode = code ?? 1;
}
process.exit();
