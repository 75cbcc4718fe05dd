// Synthesizes the stack as `cdk synth` does, over stub bundles and the built edge function. Each context is synthesized
// once in a run: the template is a file in the folder of the run.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { inject } from 'vitest';
import { createApp } from '../../infra/app.ts';
import { bundleEdge } from '../../infra/build/bundle-edge.ts';
import { readConfig } from '../../infra/config/read-config.ts';
import { PosternStack } from '../../infra/stack.ts';
import { createStacks } from '../../infra/stacks.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { CANARY, MEDIA } from '../../shared/contract/other-functions.ts';

const folder = join(inject('runFolder'), 'synthesized');

/** All workers write the same bytes: the rename lets no worker read half a file. */
const writeOnce = (file: string, content: string): void => {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, content);
  renameSync(own, file);
};

/** One per process, because the asset of a stack must not change while it is synthesized. */
export const dist = join(folder, `dist-${process.pid}`);

for (const name of [...Object.keys(lambdas), CANARY, MEDIA]) {
  mkdirSync(join(dist, 'functions', name), { recursive: true });
  writeFileSync(join(dist, 'functions', name, 'index.cjs'), `exports.handler = async () => '${name}';`);
}
await bundleEdge(join(dist, 'edge'));

/** An app whose synthesis does not run the validator of CloudFormation, which needs seconds. */
export const unvalidatedApp = (): App => createApp({}, { builtinCloudFormationValidation: false });

interface StackOptions {
  /** The synthesis runs the validator of CloudFormation, as in configurations.test.ts. */
  readonly isValidated?: boolean;
}

/** @param context settings of an operator */
export const createStack = (
  context: Readonly<Record<string, unknown>> = {},
  { isValidated = false }: StackOptions = {},
): PosternStack => {
  const config = readConfig(context);
  const app = isValidated ? createApp() : unvalidatedApp();
  return new PosternStack(app, config.stackName, { config, dist });
};

/** Removes the temporary directory of the synthesis as well; only the assembly has its name. */
export const synthesize = (stack: PosternStack): void =>
  rmSync(Stage.of(stack)?.synth().directory ?? dist, { recursive: true });

/** @returns the templates of all stacks by name: outside us-east-1 there is more than one */
export const templatesOf = (
  context: Readonly<Record<string, unknown>>,
  { isValidated = false }: StackOptions = {},
): ReadonlyMap<string, Template> => {
  const app = isValidated ? createApp() : unvalidatedApp();
  createStacks(app, { config: readConfig(context), dist });
  const stacks = app.node.children.filter((child) => Stack.isStack(child));
  const templates = new Map(stacks.map((stack) => [stack.stackName, Template.fromStack(stack)]));
  rmSync(app.synth().directory, { recursive: true });
  return templates;
};

const synthesizedJson = (context?: Readonly<Record<string, unknown>>): string => {
  const stack = createStack(context);
  const json = JSON.stringify(Template.fromStack(stack).toJSON());
  synthesize(stack);
  return json;
};

const jsonOf = (context: Readonly<Record<string, unknown>>): string => {
  const hash = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  const file = join(folder, `${hash}.json`);
  if (!existsSync(file)) writeOnce(file, synthesizedJson(context));
  return readFileSync(file, 'utf8');
};

/** @param context settings of an operator @returns a template that the caller may change */
export const templateOf = (context: Readonly<Record<string, unknown>> = {}): Template =>
  Template.fromString(jsonOf(context));

/** @param context settings of an operator @returns the JSON of the template, which the caller may change */
export const documentOf = (context: Readonly<Record<string, unknown>> = {}): ReturnType<Template['toJSON']> =>
  JSON.parse(jsonOf(context));
