// `npm run keys -- create --label NAME [--search 60/60] | list | disable ID | enable ID | delete ID`: calls the
// operator API of the service at BASE_URL with ADMIN_TOKEN.
import { parseArgs } from 'node:util';
import { readVariable } from '../../shared/composition/environment.ts';
import { type AdminOperationId, adminOperations } from '../../shared/contract/admin-operations.ts';
import { errorMessage } from '../../shared/model/errors.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { DEFAULT_ORIGIN } from './local-environment.ts';

const USAGE = 'usage: npm run keys -- create --label NAME [--search 60/60] | list | disable ID | enable ID | delete ID';
const NEVER = '-';
const NO_CONTENT = 204;

/** Printed as its message, without a stack trace. */
class CommandError extends Error {}

const member = (value: unknown, name: string): unknown => asRecord(value)?.[name];

const textOf = (value: unknown, name: string): string => {
  const text = member(value, name);
  return typeof text === 'string' ? text : NEVER;
};

/** One line per key, for people and for `cut`. */
const line = (key: unknown): string =>
  ['id', 'label', 'state', 'search', 'last_used_on'].map((name) => textOf(key, name)).join('\t');

const fetchText = async (url: string, request: RequestInit) => {
  const response = await fetch(url, request);
  return { ok: response.ok, status: response.status, text: await response.text() };
};

const call = async (operation: AdminOperationId, id = '', body?: object): Promise<unknown> => {
  const origin = (readVariable(process.env, env.baseUrl) ?? DEFAULT_ORIGIN).replace(/\/+$/, '');
  const token = readVariable(process.env, localEnv.adminToken);
  if (token === undefined) throw new CommandError('ADMIN_TOKEN must be set');
  const { method, path } = adminOperations[operation];
  const { ok, status, text } = await fetchText(`${origin}${path.replace('{id}', encodeURIComponent(id))}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new CommandError(`${origin} does not answer. Start the service, or set BASE_URL.`);
  });
  const value = parseJson(text);
  if (ok && (status === NO_CONTENT || value !== undefined)) return value;
  const title = member(value, 'title');
  const detail = member(value, 'detail');
  const hasDetail = typeof detail === 'string' && detail !== `${String(title)}.`;
  const unexplained = ok ? `${origin} is not a Postern service. Set BASE_URL.` : `HTTP ${status}`;
  throw new CommandError(typeof title === 'string' ? `${title}${hasDetail ? `\n${detail}` : ''}` : unexplained);
};

const list = async (): Promise<readonly string[]> => {
  const keys = member(await call('listKeys'), 'keys');
  return Array.isArray(keys) ? keys.map(line) : [];
};

const create = async (label: string, search: string | undefined): Promise<readonly string[]> => {
  const key = await call('createKey', '', { label, ...(search !== undefined && { search }) });
  return [line(key), textOf(key, 'secret')];
};

/** @returns the lines to print; undefined if the arguments are not a command */
const run = async (args: readonly string[]): Promise<readonly string[] | undefined> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { label: { type: 'string' }, search: { type: 'string' } },
    allowPositionals: true,
  });
  const [command, id, ...more] = positionals;
  const { label, search } = values;
  const hasOptions = label !== undefined || search !== undefined;
  if (command === 'create' && id === undefined && label !== undefined) return create(label, search);
  if (hasOptions || more.length > 0) return undefined;
  if (command === 'list' && id === undefined) return list();
  if (id === undefined) return undefined;
  if (command === 'disable') return [line(await call('changeKey', id, { state: 'disabled' }))];
  if (command === 'enable') return [line(await call('changeKey', id, { state: 'enabled' }))];
  if (command !== 'delete') return undefined;
  await call('deleteKey', id);
  return [];
};

const main = async (): Promise<void> => {
  const lines = await run(process.argv.slice(2)).catch((error: unknown) => {
    // Any other error is from parseArgs, which rejects unknown options.
    if (error instanceof CommandError) throw error;
    return undefined;
  });
  if (lines === undefined) throw new CommandError(USAGE);
  for (const text of lines) console.log(text);
};

await main().catch((error: unknown) => {
  console.error(errorMessage(error));
  process.exitCode = 1;
});
