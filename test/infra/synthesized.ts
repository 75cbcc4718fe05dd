// Synthesizes the stack as `cdk synth` does, over stub bundles and the built edge function.
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
import { CANARY } from '../../shared/contract/canary.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';

export const dist = mkdtempSync(join(tmpdir(), 'postern-stack-'));
afterAll(() => rmSync(dist, { recursive: true }));

for (const name of [...Object.keys(lambdas), CANARY]) {
  mkdirSync(join(dist, 'functions', name), { recursive: true });
  writeFileSync(join(dist, 'functions', name, 'index.cjs'), `exports.handler = async () => '${name}';`);
}
await bundleEdge(join(dist, 'edge'));

/** @param context settings of an operator */
export const createStack = (context: Readonly<Record<string, unknown>> = {}, from = dist): PosternStack => {
  const config = readConfig(context);
  return new PosternStack(createApp(), config.stackName, { config, dist: from });
};

/** Removes the temporary directory of the synthesis as well; only the assembly has its name. */
export const synthesize = (stack: PosternStack): void =>
  rmSync(Stage.of(stack)?.synth().directory ?? dist, { recursive: true });

/** @param context settings of an operator */
export const templateOf = (context?: Readonly<Record<string, unknown>>): Template => {
  const stack = createStack(context);
  const result = Template.fromStack(stack);
  synthesize(stack);
  return result;
};
