// Tests that local commands start fast because they never load the CDK, which takes seconds.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The packages that a program imports, directly or not. Type-only imports are removed, as when Node runs the sources. */
const packagesOf = async (...entryPoints: readonly string[]): Promise<ReadonlySet<string>> => {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    absWorkingDir: root,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  });
  return new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)));
};

const isOfCdk = (name: string): boolean => /^(?:aws-cdk|cdk-|constructs)/.test(name);

test('no program of infra/local or infra/build imports the CDK, as the stack does', async () => {
  const programs = globSync('infra/{local,build}/*.ts', { cwd: root, exclude: ['**/*.d.ts'] });
  expect([...(await packagesOf(...programs))].filter(isOfCdk)).toEqual([]);
  expect([...(await packagesOf('infra/stack.ts'))].filter(isOfCdk)).toContain('aws-cdk-lib/aws-cloudfront');
});
