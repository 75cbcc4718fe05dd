// The stack as `cdk synth` makes it, over bundles that hold next to nothing and the edge function as built.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { createApp } from '../../infra/app.ts';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { readConfig } from '../../infra/config.ts';
import { PosternStack } from '../../infra/stack.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';

export const dist = mkdtempSync(join(tmpdir(), 'postern-stack-'));
afterAll(() => rmSync(dist, { recursive: true }));

for (const name of Object.keys(lambdas)) {
  mkdirSync(join(dist, 'functions', name), { recursive: true });
  writeFileSync(join(dist, 'functions', name, 'index.cjs'), `exports.handler = async () => '${name}';`);
}
await bundleEdge(join(dist, 'edge'));

/** @param context settings of an operator */
export const createStack = (context: Readonly<Record<string, unknown>> = {}, from = dist): PosternStack =>
  new PosternStack(createApp(), 'Postern', { config: readConfig(context), dist: from });

/** And removes the directory that this makes, whose name only the assembly tells. */
export const synthesize = (stack: PosternStack): void =>
  rmSync(Stage.of(stack)?.synth().directory ?? dist, { recursive: true });

/** @param context settings of an operator */
export const templateOf = (context?: Readonly<Record<string, unknown>>): Template => {
  const stack = createStack(context);
  const made = Template.fromStack(stack);
  synthesize(stack);
  return made;
};
