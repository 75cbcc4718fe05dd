// Tests that local commands start fast because they never load the CDK, which takes seconds.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importGraph } from '../support/import-graph.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that a program imports, directly or not. */
const packagesOf = async (...entryPoints: readonly string[]): Promise<ReadonlySet<string>> => {
  const chunks = Object.values(await importGraph(...entryPoints));
  return new Set(chunks.flatMap(({ imports }) => imports.map(({ path }) => path)));
};

const isOfCdk = (name: string): boolean => /^(?:aws-cdk|cdk-|constructs)/.test(name);

test('no program of infra/local or infra/build imports the CDK, as the stack does', async () => {
  const programs = globSync('infra/{local,build}/*.ts', { cwd: root, exclude: ['**/*.d.ts'] });
  expect([...(await packagesOf(...programs))].filter(isOfCdk)).toEqual([]);
  expect([...(await packagesOf('infra/stack.ts'))].filter(isOfCdk)).toContain('aws-cdk-lib/aws-cloudfront');
});
