// `npm run -s mcp`: the MCP server over standard input and output, for hosts that start a process. It has the tools of /mcp,
// through the service at BASE_URL or without a running service. Messages for people and the log go to standard error.
import { answerHelp } from '../../infra/command/answer-help.ts';
import { commandLine } from '../../infra/command/command-line.ts';
import { fail, print } from '../../infra/command/output.ts';
import { createServiceLog } from '../../infra/local/service-log.ts';
import { TOOL_SETS, type ToolSet } from '../../shared/contract/mcp.ts';
import { errorMessage } from '../../shared/model/json.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { serveLines } from './mcp/serve-lines.ts';
import { parseOptions } from './options.ts';

const USAGE = `usage: ${commandLine('mcp', `[--tools ${TOOL_SETS.join('|')}]`)}
Speaks MCP on standard input and output: a JSON-RPC message a line. A host starts it, such as Claude or VS Code.
  --tools research  offers search and fetch in place of the usual tools
BASE_URL names a service that answers in place of this process, API_KEY its key.`;

/** @returns undefined if the arguments are not as in USAGE */
const argumentsOf = (): { readonly toolSet: ToolSet | undefined } | undefined => {
  const parsed = parseOptions({ options: { tools: { type: 'string' } } });
  const toolSet = TOOL_SETS.find((name) => name === parsed?.values.tools);
  return parsed === undefined || (parsed.values.tools !== undefined && toolSet === undefined) ? undefined : { toolSet };
};

const serve = async (toolSet: ToolSet | undefined): Promise<void> => {
  const { writeLog } = createServiceLog(process.stderr.isTTY, (text) => void process.stderr.write(text));
  const endpoint = await createMcpEndpoint({ environment: process.env, toolSet, writeLog });
  console.error(`postern: MCP on standard input and output; ${endpoint.line}`);
  try {
    await serveLines({ input: process.stdin, write: print, answer: endpoint.answer });
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
