// `npm run read -- URL [--json]`: prints one post without a running service. The command calls the posts function as
// API Gateway does, so it uses the same code as every client.
import { parseArgs } from 'node:util';
import { createPostsHandler } from '../../functions/posts/create-handler.ts';
import type { Environment } from '../../shared/composition/environment.ts';
import { upstreamFromEnvironment } from '../../shared/composition/upstream.ts';
import { EDGE_HEADERS } from '../../shared/contract/headers.ts';
import { operations } from '../../shared/contract/operations.ts';
import type { HttpResult } from '../../shared/http/event.ts';
import { errorMessage } from '../../shared/model/errors.ts';
import { terminalJson } from '../../shared/model/terminal-json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localDefaults } from '../../shared/settings/local-service.ts';
import { routeRequest } from './api-gateway.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { lambdaContext } from './function-host.ts';
import { localEnvironment } from './local-environment.ts';
import { problemText } from './problem-text.ts';

const USAGE = 'usage: npm run read -- https://x.com/{handle}/status/{id} [--json]';

type Format = 'markdown' | 'json';

const discardLog = (): void => undefined;

const readPost = async (url: string, format: Format, given: Environment): Promise<HttpResult> => {
  const environment = localEnvironment({ ...given, [env.originSecrets]: localDefaults.originSecret });
  const { lambda, event } = routeRequest(
    {
      method: 'GET',
      path: operations.readPost.path,
      query: new URLSearchParams({ url, format }).toString(),
      headers: { [EDGE_HEADERS.originSecret]: localDefaults.originSecret },
      body: Buffer.alloc(0),
      sourceIp: '127.0.0.1',
    },
    new Date(),
  );
  return createPostsHandler(upstreamFromEnvironment(environment, discardLog))(
    event,
    lambdaContext(lambda, event.requestContext.requestId),
  );
};

const readToStandardOutput = async (url: string, format: Format): Promise<void> => {
  const upstream = await chooseUpstream(process.env);
  if (upstream.notice !== undefined) console.error(upstream.notice);
  try {
    const { statusCode, body = '' } = await readPost(url, format, { ...process.env, ...upstream.environment });
    if (statusCode === 200) return void process.stdout.write(format === 'json' ? terminalJson(body) : body);
    console.error(problemText(body));
    process.exitCode = 1;
  } finally {
    await upstream.close();
  }
};

const fail = (message: string): void => {
  console.error(message);
  process.exitCode = 1;
};

const argumentsOf = (): { readonly url: string; readonly format: Format } | undefined => {
  try {
    const { values, positionals } = parseArgs({
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [url, ...more] = positionals;
    return url === undefined || more.length > 0 ? undefined : { url, format: values.json ? 'json' : 'markdown' };
  } catch {
    return undefined; // an option that does not exist
  }
};

const parsed = argumentsOf();
if (parsed === undefined) fail(USAGE);
else await readToStandardOutput(parsed.url, parsed.format).catch((error: unknown) => fail(errorMessage(error)));
