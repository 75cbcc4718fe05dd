// `npm run keys -- create --label NAME [--search 60/60] | list | disable ID | enable ID | delete ID`: calls the
// operator API of the service at BASE_URL with ADMIN_TOKEN.
import { answerHelp } from '../../infra/command/answer-help.ts';
import { commandLine } from '../../infra/command/command-line.ts';
import { CommandError, print, runToExit } from '../../infra/command/output.ts';
import { DEFAULT_ORIGIN } from '../../infra/local/local-environment.ts';
import { parseBearer } from '../../shared/auth/api-key.ts';
import { readVariable } from '../../shared/composition/environment.ts';
import { type AdminOperationId, adminOperations } from '../../shared/contract/admin-operations.ts';
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { localEnv } from '../../shared/settings/local-service.ts';
import { errorOf } from '../src/postern-error.ts';
import { parseOptions } from './options.ts';
import { boundedFetch } from './service.ts';

const USAGE = `usage: ${commandLine('keys', 'create --label NAME [--search 60/60] | list | disable ID | enable ID | delete ID')}`;
/** The token is saved nowhere, so a person who closed the terminal needs a way on. */
const TOKEN_HELP = `ADMIN_TOKEN is the operator token of the service. ${commandLine('start')} prints it as "operator token: …", a new one at each start.
DATA_DIR has the keys, but not the token. To keep a token, start the service with ADMIN_TOKEN set to 32 characters or more.
On AWS, it is the token whose hash is in adminTokenHashes.`;
const NEVER = '-';
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;

const member = (value: unknown, name: string): unknown => asRecord(value)?.[name];

/** @returns the text on one line, without what a terminal would obey */
const textIn = (value: unknown, name: string): string | undefined => {
  const text = member(value, name);
  return typeof text === 'string' ? visibleLine(text) : undefined;
};

const serviceOrigin = (): string => (readVariable(process.env, env.baseUrl) ?? DEFAULT_ORIGIN).replace(/\/+$/, '');

const foreignAnswer = (): CommandError =>
  new CommandError(`${serviceOrigin()} is not a Postern service. Set BASE_URL.`);

/** One line per key, for people and for `cut`. */
const line = (key: unknown): string => {
  if (textIn(key, 'id') === undefined) throw foreignAnswer();
  return ['id', 'label', 'state', 'search', 'last_used_on'].map((name) => textIn(key, name) ?? NEVER).join('\t');
};

const call = async (operation: AdminOperationId, id = '', body?: object): Promise<unknown> => {
  const origin = serviceOrigin();
  const token = readVariable(process.env, localEnv.adminToken);
  if (token === undefined) throw new CommandError(`ADMIN_TOKEN must be set\n${TOKEN_HELP}`);
  if (parseBearer(`Bearer ${token}`).kind !== 'token') throw new CommandError(`ADMIN_TOKEN is wrong\n${TOKEN_HELP}`);
  const { method, path } = adminOperations[operation];
  const response = await boundedFetch(`${origin}${path.replace('{id}', encodeURIComponent(id))}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${origin} does not answer. Start the service, or set BASE_URL.`);
  });
  const text = await response.text();
  const value = parseJson(text);
  if (response.ok && (response.status === NO_CONTENT || value !== undefined)) return value;
  if (response.ok) throw foreignAnswer();
  const { code, status, title, detail } = errorOf(response, text);
  if (code === 'unexpected_response') throw new CommandError(`HTTP ${status}`);
  const more = detail === `${title}.` ? [] : [visibleLine(detail)];
  const help = status === UNAUTHORIZED ? ['ADMIN_TOKEN is wrong', TOKEN_HELP] : more;
  throw new CommandError([visibleLine(title), ...help].join('\n'));
};

const list = async (): Promise<readonly string[]> => {
  const keys = member(await call('listKeys'), 'keys');
  if (!Array.isArray(keys)) throw foreignAnswer();
  return keys.map(line);
};

const create = async (label: string, search: string | undefined): Promise<readonly string[]> => {
  const key = await call('createKey', '', { label, ...(search !== undefined && { search }) });
  const secret = textIn(key, 'secret');
  if (secret === undefined) throw foreignAnswer();
  return [line(key), secret];
};

/** @returns the lines to print; undefined if the arguments are not a command */
const run = async (): Promise<readonly string[] | undefined> => {
  const parsed = parseOptions({
    options: { label: { type: 'string' }, search: { type: 'string' } },
    allowPositionals: true,
  });
  if (parsed === undefined) return undefined;
  const [command, id, ...more] = parsed.positionals;
  const { label, search } = parsed.values;
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

answerHelp(USAGE);
await runToExit(async () => {
  const lines = await run();
  if (lines === undefined) throw new CommandError(USAGE);
  await print(lines.map((text) => `${text}\n`).join(''));
});
