// Plants spellings that common generators do not read into the description. Skipped if SPECTRAL is not set.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const spectral = process.env['SPECTRAL'] || undefined;
if (spectral === undefined) console.log('skipped: the rules of Spectral (SPECTRAL is not set)');

const text = { type: 'string' };

test.skipIf(spectral === undefined).each<readonly [rule: string, kind: 'schemas' | 'responses', planted: object]>([
  ['postern-constant-boolean', 'schemas', { type: 'boolean', const: true }],
  ['postern-any-of', 'schemas', { type: 'object', properties: { member: { anyOf: [text, { type: 'integer' }] } } }],
  ['postern-union-default', 'schemas', { oneOf: [text, { type: 'integer' }], default: 'x' }],
  ['postern-array-in-union', 'schemas', { oneOf: [text, { type: 'array', items: text }] }],
  ['postern-answer-name', 'responses', { description: 'Planted', content: { 'text/plain': { schema: text } } }],
])('[discovery 10] %s finds its spelling in the description', (rule, kind, planted) => {
  const description = JSON.parse(readFileSync('test/golden/published/openapi.json', 'utf8'));
  description.components[kind].planted_299 = planted;
  const file = join(temporaryFolder(), 'openapi.json');
  writeFileSync(file, JSON.stringify(description));
  const args = [String(spectral), 'lint', file, '--ruleset', '.ci/spectral.yaml', '--format', 'json', '--quiet'];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const found: readonly { readonly code: string }[] = JSON.parse(stdout);
  expect(found.map(({ code }) => code)).toContain(rule);
});
