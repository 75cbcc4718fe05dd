// Tests what `sam local invoke -t cdk.out/Postern.template.json PostsFunction` needs of the template, without SAM and
// Docker.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../infra/config.ts';
import { PosternStack } from '../../infra/stack.ts';
import { type LambdaName, lambdas } from '../../shared/contract/lambdas.ts';
import { unvalidatedApp } from './synthesized.ts';

const dist = mkdtempSync(join(tmpdir(), 'postern-sam-'));
const app = unvalidatedApp();
for (const name of Object.keys(lambdas)) {
  mkdirSync(join(dist, 'functions', name), { recursive: true });
  writeFileSync(join(dist, 'functions', name, 'index.cjs'), `exports.handler = async () => '${name}';`);
}
mkdirSync(join(dist, 'edge'));
writeFileSync(join(dist, 'edge', 'viewer-request.js'), 'function handler(event) { return event.request; }');
new PosternStack(app, 'Postern', { config: readConfig({ canaryMinutes: 0 }), dist });
const { directory } = app.synth();
afterAll(() => {
  for (const folder of [dist, directory]) rmSync(folder, { recursive: true });
});

const template = JSON.parse(readFileSync(join(directory, 'Postern.template.json'), 'utf8'));

const functions = [
  ['PostsFunction', 'posts'],
  ['EngagementsFunction', 'engagements'],
  ['OembedFunction', 'oembed'],
  ['ProfilesFunction', 'profiles'],
  ['SearchFunction', 'search'],
  ['LegacyFunction', 'legacy'],
  ['DiscoveryFunction', 'discovery'],
  ['McpFunction', 'mcp'],
  ['AdminFunction', 'admin'],
] as const satisfies readonly (readonly [string, LambdaName])[];

it('the template has every function', () => {
  expect(functions.map(([, name]) => name).sort()).toEqual(Object.keys(lambdas).sort());
});

it.each(functions)('%s leads to the bundle of %s beside the template', async (id, name) => {
  const { Metadata, Properties } = template.Resources[id];
  expect(Metadata['aws:asset:property']).toBe('Code');
  expect(Metadata['aws:asset:path']).toMatch(/^asset\.[0-9a-f]+$/);

  const [file, exported] = Properties.Handler.split('.');
  const bundle = join(directory, Metadata['aws:asset:path'], `${file}.cjs`);
  expect(existsSync(bundle)).toBe(true);
  expect(await createRequire(import.meta.url)(bundle)[exported]()).toBe(name);
});

const HTTP = ['BASE_URL CACHE_TTL_SECONDS INDEXING METRICS_NAMESPACE ORIGIN_SECRETS PICTURES TRANSLATION'].flatMap(
  (names) => names.split(' '),
);
const UPSTREAM = [
  'CANARY_POST CANARY_PROFILE FXTWITTER_BASE_URL PROVIDERS SYNDICATION_BASE_URL UPSTREAM X_API_BASE_URL',
  'WITHHELD_FILE X_API_BEARER_TOKEN X_API_DAILY_ROWS',
].flatMap((names) => names.split(' '));
const ACCESS = [
  'ALLOWANCE_BROWSE ALLOWANCE_SEARCH_ANONYMOUS ALLOWANCE_SEARCH_KEYED ALLOWANCE_SEARCH_POOL COUNTERS_TABLE',
  'DYNAMODB_ENDPOINT KEYS_TABLE',
].flatMap((names) => names.split(' '));
const LISTS = [...UPSTREAM, ...ACCESS, 'CURSOR_SECRETS'];
const PROBED = UPSTREAM.filter(
  (name) => !['CANARY_PROFILE', 'UPSTREAM', 'WITHHELD_FILE', 'X_API_BEARER_TOKEN'].includes(name),
);

it.each([
  ['PostsFunction', [...HTTP, ...UPSTREAM]],
  ['OembedFunction', [...HTTP, ...UPSTREAM]],
  ['ProfilesFunction', [...HTTP, ...LISTS]],
  ['SearchFunction', [...HTTP, ...LISTS]],
  ['LegacyFunction', [...HTTP, ...LISTS]],
  ['DiscoveryFunction', [...HTTP, 'SECURITY_CONTACT', 'ABUSE_CONTACT', 'OPERATOR_NAME', 'LOG_RETENTION_DAYS']],
  ['McpFunction', [...HTTP, ...LISTS]],
  ['AdminFunction', [...HTTP, ...ACCESS, ...PROBED, 'ADMIN_TABLE', 'ADMIN_TOKEN_HASHES', 'CURSOR_SECRETS']],
])('%s declares every variable that it reads, so that SAM can override it', (id, names) => {
  expect(Object.keys(template.Resources[id].Properties.Environment.Variables).sort()).toEqual([...names].sort());
});
