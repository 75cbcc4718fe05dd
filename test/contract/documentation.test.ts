// Runs every example of the documentation pages, and compares the pages with the contract.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import npmClient from '../../client/package.json' with { type: 'json' };
import { documentsFromContract } from '../../infra/build/documents-plugin.ts';
import { CONFIG_FILE_SETTING } from '../../infra/config/config-file.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { settingNames } from '../../infra/config/settings.ts';
import { generatedDocuments } from '../../infra/docs/sections.ts';
import type { LocalService } from '../../infra/local/service.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { allowanceSettings } from '../../shared/contract/allowances.ts';
import { documents } from '../../shared/contract/documents.ts';
import { headerDescriptions } from '../../shared/contract/header-descriptions.ts';
import { EXPOSED_HEADERS } from '../../shared/contract/headers.ts';
import { operationRows, pathsOf } from '../../shared/contract/operations.ts';
import { parameters } from '../../shared/contract/parameters.ts';
import { MCP_PATH } from '../../shared/contract/paths.ts';
import { fillPlaceholders } from '../../shared/contract/placeholders.ts';
import { problems } from '../../shared/contract/problem-rows.ts';
import { providerNames } from '../../shared/contract/providers.ts';
import { type UseCase, useCases } from '../../shared/contract/use-cases.ts';
import { warningRows } from '../../shared/contract/warnings.ts';
import { isRecord } from '../../shared/model/json.ts';
import { Post } from '../../shared/model/post.ts';
import { OembedBody } from '../../shared/model/resources.ts';
import { User } from '../../shared/model/user.ts';
import { type Command, commandsOf, curlRequestOf } from '../../shared/publish/code-examples/requests.ts';
import { chapters, type PageName, pageNames } from '../../shared/publish/document.ts';
import { env } from '../../shared/settings/environment-variables.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import clientPackage from '../client/package.json' with { type: 'json' };
import { AMPLE_ALLOWANCES } from '../support/ample-allowances.ts';
import { createKey } from '../support/create-key.ts';
import { type LocalResponse, sendRequest, startLiveService } from '../support/local-service.ts';

const ADMIN_TOKEN = 'a-token-of-the-operator-for-tests-only';

/** The base URL of the pages until the test service has started. */
const PAGE_BASE_URL = 'https://postern.example';
/** The URL of a local service on the pages. */
const LOCAL_BASE_URL = 'http://127.0.0.1:3000';

const published = await documentsFromContract();

interface Page {
  readonly name: PageName;
  readonly path: string;
  readonly markdown: string;
  readonly html: string;
}

const allPages: readonly Page[] = pageNames.map((name) => {
  const { markdown, html } = published[name];
  return {
    name,
    path: documents[name].path,
    markdown: fillPlaceholders(markdown, PAGE_BASE_URL),
    html: fillPlaceholders(html, PAGE_BASE_URL),
  };
});

/** The HTML of the front page is not made from Markdown. */
const docPages = allPages.filter(({ name }) => name !== 'home');

const tokensOf = (markdown: string) => new MarkdownIt().parse(markdown, {});

interface Block {
  readonly page: string;
  readonly tag: string;
  readonly text: string;
  /** The block directly after this block. */
  readonly answer?: { readonly tag: string; readonly text: string } | undefined;
}

/** The documents for operators, whose links test/contract/readme.test.ts checks. */
const operatorDocuments = generatedDocuments.map((name) => ({
  name,
  markdown: readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'),
}));

const blocksOf = ({ name, markdown }: { readonly name: string; readonly markdown: string }): readonly Block[] => {
  const tokens = tokensOf(markdown);
  return tokens.flatMap((token, index): readonly Block[] => {
    const next = tokens[index + 1];
    const answer = next?.type === 'fence' && next.info !== 'sh' ? { tag: next.info, text: next.content } : undefined;
    return token.type === 'fence' ? [{ page: name, tag: token.info, text: token.content, answer }] : [];
  });
};

const blocks = [...allPages, ...operatorDocuments.filter(({ name }) => name.includes('operators/'))].flatMap(blocksOf);

interface Example extends Command {
  readonly page: string;
  /** The block after a block with a single command. */
  readonly answer?: Block['answer'];
}

const examples: readonly Example[] = blocks
  .filter(({ tag }) => tag === 'sh')
  .flatMap(({ page, text, answer }) => {
    const commands = commandsOf(text);
    return commands.map((command) => ({ ...command, page, ...(commands.length === 1 && { answer }) }));
  });

const withTitle = (chosen: readonly Example[]) =>
  chosen.map((example) => [example.page, example.line, example] as const);

let service: LocalService;
let unlimitedKey = '';
let spentKey = '';

const here = (text: string): string =>
  text.replaceAll(PAGE_BASE_URL, service.origin).replaceAll(LOCAL_BASE_URL, service.origin);

let queries = 0;
/** An answer from the request cache charges nothing, so it has no RateLimit header. */
const freshQuery = (): string => {
  queries += 1;
  return `fresh-${queries}`;
};

const search = (words: string, key: string): Promise<LocalResponse> =>
  sendRequest(service.origin, `/search?q=${words}`, { headers: { Authorization: `Bearer ${key}` } });

beforeAll(async () => {
  service = await startLiveService({ ADMIN_TOKEN, ...AMPLE_ALLOWANCES });
  unlimitedKey = await createKey(service.origin, ADMIN_TOKEN);
  spentKey = await createKey(service.origin, ADMIN_TOKEN, { search: '1/86400' });
  // The first call of the store is slow.
  await search('warm', unlimitedKey);
});
afterAll(() => service.close());

/** The URL without the parameter. */
const without = (url: string, name: string): URL => {
  const other = new URL(url);
  other.searchParams.delete(name);
  return other;
};

const targetOf = (url: string): string => {
  if (!url.startsWith(`${service.origin}/`)) throw new Error(`not a URL of the service: ${url}`);
  return url.slice(service.origin.length);
};

const nextCursor = async (url: string): Promise<string> => {
  const first = without(url, 'cursor');
  first.searchParams.set('format', 'json');
  const cursor = (await sendRequest(service.origin, targetOf(first.href))).json()['next_cursor'];
  expect(cursor, `next_cursor of ${first.href}`).toBeTypeOf('string');
  return String(cursor);
};

/** The first search of the key is admitted, each later one is denied. */
const spend = async (): Promise<void> => {
  await search(freshQuery(), spentKey);
};

const run = async (example: Example): Promise<LocalResponse> => {
  const { method, url: curlUrl, headers: curlHeaders, body } = curlRequestOf(example);
  const isSpent = example.expected?.status === 429;
  if (isSpent) await spend();
  const url = here(curlUrl);
  const cursor = url.includes('NEXT_CURSOR') ? await nextCursor(url) : '';
  const target = targetOf(url.replaceAll('NEXT_CURSOR', cursor));
  const known = Object.fromEntries(Object.entries(curlHeaders).filter(([, value]) => value !== 'ETAG'));
  const etag = async (): Promise<string> =>
    String((await sendRequest(service.origin, target, { method, headers: known })).headers.etag);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(curlHeaders)) {
    headers[name] = value === 'ETAG' ? await etag() : value.replaceAll('YOUR_KEY', isSpent ? spentKey : unlimitedKey);
  }
  return sendRequest(service.origin, target, { method, headers, ...(body !== undefined && { body }) });
};

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `…` matches any text. */
const matches = (shown: string, value: string): boolean =>
  new RegExp(`^${shown.split('…').map(escapeRegExp).join('.*')}$`, 's').test(value);

/** Objects may have more members than shown, and lists more items at the end. */
const expectShown = (shown: unknown, value: unknown, at = '$'): void => {
  if (Array.isArray(shown)) {
    expect(Array.isArray(value), `${at} is a list`).toBe(true);
    for (const [index, item] of shown.entries())
      expectShown(item, Array.isArray(value) ? value[index] : undefined, `${at}[${index}]`);
    // A list that is shown as empty must be empty.
    if (shown.length === 0) expect(value, at).toEqual([]);
  } else if (isRecord(shown)) {
    expect(isRecord(value), `${at} is an object`).toBe(true);
    for (const [name, member] of Object.entries(shown))
      expectShown(member, isRecord(value) ? value[name] : undefined, `${at}.${name}`);
  } else if (typeof shown === 'string') {
    expect(typeof value === 'string' && matches(shown, value), `${at} is ${shown}, not ${String(value)}`).toBe(true);
  } else expect(value, at).toEqual(shown);
};

const expectLines = (shown: string, body: string): void => {
  const lines = body.split('\n');
  let from = 0;
  for (const line of shown.split('\n').filter((text) => text !== '')) {
    const index = lines.findIndex((text, at) => at >= from && matches(line, text));
    expect(index, `the line "${line}" is in the answer, after the lines shown before it`).toBeGreaterThanOrEqual(0);
    from = index + 1;
  }
};

const expectHeaders = (shown: string, { headers }: LocalResponse): void => {
  for (const line of shown.trim().split('\n')) {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    const sent = headers[name.toLowerCase()];
    expect(matches(value, String(sent)), `${line}, not ${String(sent)}`).toBe(true);
  }
};

const expectAnswer = ({ tag, text }: NonNullable<Block['answer']>, answer: LocalResponse): void => {
  if (tag === 'json') expectShown(JSON.parse(here(text)), answer.json());
  else if (tag === 'html') expect(answer.body).toContain(here(text.trim()));
  else if (tag === 'markdown') expectLines(here(text), answer.body);
  else if (tag === 'http') expectHeaders(here(text), answer);
  else throw new Error(`an answer cannot be a ${tag} block`);
};

const isCurl = ({ name }: Command): boolean => name === 'curl';

describe('a curl command of a page returns the answer that the page shows', () => {
  test.each(withTitle(examples.filter(isCurl)))('%s: %s', async (_, __, example) => {
    const answer = await run(example);
    const { expected } = example;
    if (expected === undefined) expect(answer.status).toBeLessThan(400);
    else expect(answer.status).toBe(expected.status);
    if (expected?.code !== undefined) expect(answer.json()['code']).toBe(expected.code);
    if (example.answer !== undefined) expectAnswer(example.answer, answer);
  });
});

const NPM_COMMANDS = ['start', 'test'];

const valuesAfter = (option: string, args: readonly string[]): readonly string[] =>
  args.flatMap((word, index) => (word === option ? [args[index + 1] ?? ''] : []));

const checkNpm = (args: readonly string[]): void => {
  const [verb = '', ...rest] = args.filter((word) => word !== '-s');
  if (verb === 'ci') return;
  if (verb === 'install') {
    const wanted = rest.filter((word) => !word.startsWith('-'));
    const known = [...Object.keys(clientPackage.devDependencies), npmClient.name];
    expect(known).toEqual(expect.arrayContaining(wanted));
    return;
  }
  const script = NPM_COMMANDS.includes(verb) ? verb : rest[0];
  if (!NPM_COMMANDS.includes(verb)) expect(verb).toBe('run');
  expect(Object.keys(packageJson.scripts)).toContain(script);
  const context = valuesAfter('-c', rest).map((text): [string, string] => {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
    return [name, value.replace('HASH', hash('sha256', 'a token', 'hex'))];
  });
  const { [CONFIG_FILE_SETTING]: _, ...settings } = Object.fromEntries(context);
  readConfig(settings);
};

const checkNpx = ([binary = '']: readonly string[]): void => {
  const isProjectPackage = existsSync(new URL(`../../node_modules/.bin/${binary}`, import.meta.url));
  expect(isProjectPackage || Object.hasOwn(clientPackage.devDependencies, binary), `${binary} is installed`).toBe(true);
};

const composeFile = readFileSync(new URL('../../infra/container/compose.yaml', import.meta.url), 'utf8');

/** The files exist, and the compose file has the profile and reads the variables. */
const checkDocker = (args: readonly string[], variables: Readonly<Record<string, string>>): void => {
  const text = args.join(' ');
  if (text === 'pull public.ecr.aws/lambda/nodejs:24-arm64') return;
  expect(text).toMatch(/^(?:build|run|compose) .*(?:postern|up -d)/);
  for (const [, file = ''] of text.matchAll(/ -f (\S+)/g))
    expect(existsSync(new URL(`../../${file}`, import.meta.url)), file).toBe(true);
  for (const [, profile = ''] of text.matchAll(/ --profile (\S+)/g))
    expect(composeFile).toContain(`profiles: [${profile}]`);
  for (const variable of Object.keys(variables)) expect(composeFile).toContain(`\${${variable}`);
};

const MCP_URL = `${PAGE_BASE_URL}${MCP_PATH}`;

/** The arguments that add a server, by the command of the client. The URL is the last argument or within JSON. */
const mcpClients: Readonly<Record<string, RegExp>> = {
  claude: /^mcp add --transport http postern \S+$/,
  codex: /^mcp add postern --url \S+$/,
  gemini: /^mcp add --scope user --transport http postern \S+$/,
  code: /^--add-mcp \{.*\}$/,
};

/** The program that a host starts. It is a command of the package, which forwards to the service. */
const STARTED = ['--env', `BASE_URL=${PAGE_BASE_URL}`, 'postern', '--', 'postern', 'mcp'];

const checkMcpClient = (name: string, args: readonly string[]): void => {
  if (args.includes('stdio')) return void expect(args).toEqual(['mcp', 'add', '--transport', 'stdio', ...STARTED]);
  expect(args.join(' ')).toMatch(mcpClients[name] ?? /^$/);
  const last = args.at(-1) ?? '';
  if (name === 'code') expect(JSON.parse(last)).toEqual({ name: 'postern', type: 'http', url: MCP_URL });
  else expect(last).toBe(MCP_URL);
};

/** The arguments that generate clients, by the command. test/client runs them. */
const clientGenerators: Readonly<Record<string, RegExp>> = {
  pip: /^install openapi-python-client$/,
  'openapi-generator-cli': /^generate -i \S+\/openapi\.json -g python -o client --additional-properties \w+=false$/,
  'openapi-python-client': /^generate --url \S+\/openapi\.json --meta none$/,
  go: /^(?:run github\.com\/oapi-codegen\/\S+@latest .* \S+\/openapi\.json|get github\.com\/oapi-codegen\/runtime)$/,
};

test('the install links of the page mcp contain the configuration of this service', () => {
  const { html = '' } = docPages.find(({ name }) => name === 'mcp') ?? {};
  const linkTo = (scheme: string): URL => {
    const [, href = ''] = new RegExp(` href="(${scheme}:[^"]*)"`).exec(html) ?? [];
    return new URL(href.replaceAll('&amp;', '&'));
  };
  const cursor = linkTo('cursor');
  expect(`${cursor.host}${cursor.pathname}`).toBe('anysphere.cursor-deeplink/mcp/install');
  expect(cursor.searchParams.get('name')).toBe('postern');
  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: MCP_URL });
  const vsCode = linkTo('vscode');
  expect(vsCode.pathname).toBe('mcp/install');
  expect(JSON.parse(decodeURIComponent(vsCode.search.slice(1)))).toEqual({
    name: 'postern',
    type: 'http',
    url: MCP_URL,
  });
});

test('every JSON configuration of an MCP client names the URL of this service', () => {
  const configurations = blocks
    .filter(({ page, tag, text }) => page === 'mcp' && tag === 'json' && text.includes('ervers"'))
    .map(({ text }) => JSON.parse(text));
  expect(configurations.length).toBeGreaterThanOrEqual(8);
  for (const { mcpServers, servers } of configurations) {
    const { postern } = mcpServers ?? servers;
    if (postern.command === 'postern')
      expect(postern).toMatchObject({ args: ['mcp'], env: { BASE_URL: PAGE_BASE_URL } });
    else expect([postern.url, postern.httpUrl, postern.serverUrl, ...(postern.args ?? [])]).toContain(MCP_URL);
  }
});

describe('another command of a page exists in the project, with its options', () => {
  test.each(withTitle(examples.filter((example) => !isCurl(example))))('%s: %s', (_, __, { name, args, variables }) => {
    if (name === 'docker') return checkDocker(args, variables);
    for (const variable of Object.keys(variables)) expect(Object.keys(variableDescriptions)).toContain(variable);
    if (name === 'npm') checkNpm(args);
    else if (name === 'npx') checkNpx(args);
    else if (Object.hasOwn(mcpClients, name)) checkMcpClient(name, args);
    else if (Object.hasOwn(clientGenerators, name)) expect(args.join(' ')).toMatch(clientGenerators[name] ?? /^$/);
    else if (name === 'node') {
      const [token = '', tokenHash] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n');
      expect(tokenHash).toBe(hash('sha256', token, 'hex'));
    } else throw new Error(`an example may not use the command ${name}`);
  });
});

test('every code block has a language, and every JSON block is valid JSON', () => {
  for (const { page, tag, text } of blocks) {
    expect(['sh', 'ts', 'python', 'go', 'json', 'toml', 'markdown', 'html', 'http'], page).toContain(tag);
    if (tag === 'json') expect(() => JSON.parse(text), `${page}: ${text}`).not.toThrow();
  }
});

describe('each page', () => {
  test.each(allPages)('the page $name has one level 1 heading, which is its title', ({ name, markdown, html }) => {
    const tokens = tokensOf(markdown);
    const headings = tokens.flatMap((token, index) => (token.tag === 'h1' ? (tokens[index + 1]?.content ?? []) : []));
    expect(headings.filter((text) => text !== '')).toEqual([documents[name].title]);
    if (name !== 'home') expect(html.match(/<h1\b/g)).toHaveLength(1);
  });

  test.each(allPages)('the page $name begins with a paragraph of 20 to 300 characters', ({ markdown }) => {
    const [, paragraph = ''] = markdown.split('\n\n');
    expect(paragraph).toMatch(/^[A-Z].*\.$/);
    expect(paragraph.length).toBeGreaterThanOrEqual(20);
    expect(paragraph.length).toBeLessThanOrEqual(300);
  });

  test.each(allPages)(
    'the page $name contains no placeholder, no undefined value and no TODO',
    ({ markdown, html }) => {
      for (const text of [markdown, html]) {
        expect(text).not.toMatch(
          /(?:\{|%7B)(?:base_url|domain|reverse_domain|\w+_contact\w*|operator_name|log_retention|mcp_config_base64)(?:\}|%7D)/,
        );
        expect(text).not.toContain('{{');
        expect(text).not.toMatch(/\bTODO\b|\bFIXME\b|\bTBD\b|\[object /);
      }
      // A missing value appears as undefined or NaN in the text.
      expect(markdown.replace(/^```.*?^```$/gms, '')).not.toMatch(/\bundefined\b|\bNaN\b/);
    },
  );
});

const idsOf = (path: string): ReadonlySet<string | undefined> => {
  const html = allPages.find((page) => page.path === path)?.html ?? '';
  return new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
};

/** Links that open an MCP client; their content has its own test. */
const OTHER_PROGRAMS = /^(?:cursor|vscode):/;

/** Links to other sites are listed here, because no test can follow them. */
const FOREIGN_PAGES: ReadonlySet<string> = new Set([
  'https://www.npmjs.com/package/mcp-remote',
  'https://github.com/openapi-generators/openapi-python-client',
  'https://github.com/oapi-codegen/oapi-codegen',
  'https://openapi-generator.tech',
]);

test('the pages link to no other site but those that are listed here', () => {
  const hrefs = docPages.flatMap(({ html }) =>
    [...html.matchAll(/ href="([a-z]+:[^"]*)"/g)].map(([, href = '']) => href),
  );
  const foreign = hrefs.filter((href) => !OTHER_PROGRAMS.test(href) && !href.startsWith(`${PAGE_BASE_URL}/`));
  expect(foreign.filter((href) => href !== PAGE_BASE_URL && !FOREIGN_PAGES.has(href))).toEqual([]);
});

const textOf = (name: PageName): string => published[name].markdown;
const everything = docPages.map(({ name }) => textOf(name)).join('\n');

const tools = Object.values<UseCase>(useCases).flatMap(({ tool }) => tool ?? []);

describe('the pages document the contract', () => {
  test.each([
    ['parameter', [...Object.keys(parameters), 'resource']],
    ['problem', Object.keys(problems)],
    ['warning', Object.keys(warningRows)],
    ['tool', tools],
    ['exposed header', EXPOSED_HEADERS.split(', ')],
  ])('the pages document every %s', (_, names) => {
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !everything.includes(`\`${name}\``))).toEqual([]);
  });

  test('the pages document every operation', () => {
    const paths = operationRows.flatMap(([, operation]) => pathsOf(operation));
    expect(paths.filter((path) => !everything.includes(`\`GET ${path}\``))).toEqual([]);
  });

  test.each([
    ['formats', 'Post', Object.keys(Post.shape)],
    ['formats', 'User', Object.keys(User.shape)],
    ['embeds', 'Answer', Object.keys(OembedBody.shape)],
    ['limits', 'Keys', headerDescriptions['X-Api-Key-Status'].schema.enum],
  ] as const)('the page %s lists exactly the members below the heading %s', (name, heading, members) => {
    const [, section = ''] = textOf(name).split(new RegExp(`^##+ ${heading}$`, 'm'));
    const [ownSection = ''] = section.split(/^##/m);
    const listed = [...ownSection.matchAll(/^\| `([^`]+)` \|/gm)].map(([, member]) => member);
    expect(listed.toSorted()).toEqual(members.toSorted());
  });

  test('the overview links to every page', () => {
    const missing = chapters.filter(
      (name) => name !== 'docs' && !textOf('docs').includes(`{base_url}${documents[name].path})`),
    );
    expect(missing).toEqual([]);
  });

  test('the documents for operators name every provider, environment variable and setting', () => {
    const text = operatorDocuments.map(({ markdown }) => markdown).join('\n');
    const variables = [...Object.values(env), ...Object.values(allowanceSettings).map(({ variable }) => variable)];
    const names = [...providerNames, ...variables, ...settingNames];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  test('a page that is neither the front page nor in the navigation names its file in the repository', () => {
    const moved = docPages.filter(({ name }) => !chapters.includes(name));
    expect(moved.map(({ name }) => name)).toEqual(['selfHosting', 'scaling', 'benchmarks', 'reliability']);
    for (const { path, markdown } of moved) {
      const file = `${path.replace('/docs/', 'docs/operators/')}.md`;
      expect(markdown).toContain(`The file is \`${file}\`.`);
      expect(generatedDocuments).toContain(file);
    }
  });
});

test('the default contact of security.txt is an existing section', () => {
  expect(fillPlaceholders('{security_contact}', PAGE_BASE_URL)).toBe(
    `${PAGE_BASE_URL}${documents.selfHosting.path}#security-contact`,
  );
  expect(idsOf(documents.selfHosting.path)).toContain('security-contact');
});
