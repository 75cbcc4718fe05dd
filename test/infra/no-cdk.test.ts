// What runs on one machine starts in a moment because it never loads the CDK, which takes seconds.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Imports of types alone are gone when the sources run. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'([^']+)'/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, specifier = '']) => specifier);

/** Every package that a file leads to, with the way there. */
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

const ofTheCdk = (file: string): [string, string][] =>
  packagesFrom(file).filter(([name]) => /^(?:aws-cdk|cdk-|constructs)/.test(name));

it.each(entries)('%s leads to no part of the CDK', (file) => {
  expect(ofTheCdk(file)).toEqual([]);
});

it('the walk would find it', () => {
  expect(ofTheCdk('infra/stack.ts').map(([name]) => name)).toContain('aws-cdk-lib/aws-cloudfront');
});
