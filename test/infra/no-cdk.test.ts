// Tests that local commands start fast because they never load the CDK, which takes seconds.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Type-only imports are removed when Node runs the sources. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) => specifier);

/** The packages that a file imports, directly or not, with the import chain. */
const packagesFrom = (file: string, way: readonly string[] = [], seen = new Set<string>()): [string, string][] => {
  if (seen.has(file) || !file.endsWith('.ts')) return [];
  seen.add(file);
  const here = [...way, file];
  return importsOf(file).flatMap((specifier) =>
    specifier.startsWith('.')
      ? packagesFrom(join(dirname(file), specifier), here, seen)
      : [[specifier, here.join(' -> ')]],
  );
};

const entries = ['infra/local', 'infra/build'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

const cdkPackages = (file: string): [string, string][] =>
  packagesFrom(file).filter(([name]) => /^(?:aws-cdk|cdk-|constructs)/.test(name));

it.each(entries)('%s does not import the CDK', (file) => {
  expect(cdkPackages(file)).toEqual([]);
});

it('the test finds the CDK in infra/stack.ts', () => {
  expect(cdkPackages('infra/stack.ts').map(([name]) => name)).toContain('aws-cdk-lib/aws-cloudfront');
});
