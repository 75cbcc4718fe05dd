// Plants spellings that common generators do not read into the description. Skipped if SPECTRAL is not set.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const spectral = process.env['SPECTRAL'] || undefined;
if (spectral === undefined) console.log('skipped: the rules of Spectral (SPECTRAL is not set)');

const text = { type: 'string' };

test.skipIf(spectral === undefined).each<readonly [string, object]>([
  ['postern-constant-boolean', { type: 'boolean', const: true }],
  ['postern-any-of', { type: 'object', properties: { member: { anyOf: [text, { type: 'integer' }] } } }],
  ['postern-union-default', { oneOf: [text, { type: 'integer' }], default: 'x' }],
  ['postern-array-in-union', { oneOf: [text, { type: 'array', items: text }] }],
])('[discovery 10] %s finds its spelling in the description', (rule, schema) => {
  const description = JSON.parse(readFileSync('test/golden/published/openapi.json', 'utf8'));
  description.components.schemas.Planted = schema;
  const file = join(temporaryFolder(), 'openapi.json');
  writeFileSync(file, JSON.stringify(description));
  const args = [String(spectral), 'lint', file, '--ruleset', '.ci/spectral.yaml', '--format', 'json', '--quiet'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const found: readonly { readonly code: string }[] = JSON.parse(stdout);
  expect(found.map(({ code }) => code)).toContain(rule);
});
