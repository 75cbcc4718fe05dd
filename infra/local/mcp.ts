// `npm run -s mcp`: the MCP server over standard input and output, for hosts that start a process. It has the tools of /mcp,
// through the service at BASE_URL or without a running service. Messages for people and the log go to standard error.
import { parseArgs } from 'node:util';
import { TOOL_SETS, type ToolSet } from '../../shared/contract/mcp.ts';
import { errorMessage } from '../../shared/model/json.ts';
import { answerHelp } from '../command/answer-help.ts';
import { commandLine } from '../command/command-line.ts';
import { fail } from '../command/output.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { serveLines } from './mcp/serve-lines.ts';
import { createServiceLog } from './service-log.ts';

const USAGE = `usage: ${commandLine('mcp', `[--tools ${TOOL_SETS.join('|')}]`)}
Speaks MCP on standard input and output: a JSON-RPC message a line. A host starts it, such as Claude or VS Code.
  --tools research  offers search and fetch in place of the usual tools
BASE_URL names a service that answers in place of this process, API_KEY its key.`;

/** @returns undefined if the arguments are not as in USAGE */
const argumentsOf = (): { readonly toolSet: ToolSet | undefined } | undefined => {
  try {
    const { values } = parseArgs({ options: { tools: { type: 'string' } } });
    const toolSet = TOOL_SETS.find((name) => name === values.tools);
    return values.tools !== undefined && toolSet === undefined ? undefined : { toolSet };
  } catch {
    return undefined; // an option that does not exist
  }
};

const write = (line: string): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  process.stdout.write(line, (error) => (error ? reject(error) : resolve()));
  return promise;
};

const serve = async (toolSet: ToolSet | undefined): Promise<void> => {
  const { writeLog } = createServiceLog(process.stderr.isTTY, (text) => void process.stderr.write(text));
  const endpoint = await createMcpEndpoint({ environment: process.env, toolSet, writeLog });
  console.error(`postern: MCP on standard input and output; ${endpoint.line}`);
  try {
    await serveLines({ input: process.stdin, write, answer: endpoint.answer });
  } finally {
    await endpoint.close();
  }
};

answerHelp(USAGE);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
// The host has ended, and nothing can be answered any more.
process.stdout.once('error', () => process.exit(0));
const given = argumentsOf();
if (given === undefined) fail(USAGE);
else await serve(given.toolSet).catch((error: unknown) => fail(`postern: ${errorMessage(error)}`));
