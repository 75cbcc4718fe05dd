// Reads the cloud assembly that `cdk synth` wrote.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeploymentRecord, readDeploymentRecord } from './deployment-record.ts';
import { isObject, parseTemplate, type Template, type Value } from './template.ts';

export interface Assembly {
  readonly stackName: string;
  readonly region: string;
  readonly template: Template;
  readonly record: DeploymentRecord;
  /** The least version of the bootstrap stack; undefined: the stack needs none. */
  readonly bootstrapVersion: number | undefined;
}

const readJson = (file: string): Value => {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isObject(content) ? content : {};
};

/** The only stack of the assembly. */
const stackIn = ({ artifacts }: Value): readonly [name: string, environment: string, properties: Value] => {
  for (const [name, artifact] of Object.entries(isObject(artifacts) ? artifacts : {})) {
    if (!isObject(artifact) || artifact['type'] !== 'aws:cloudformation:stack') continue;
    const { environment, properties } = artifact;
    return [name, String(environment), isObject(properties) ? properties : {}];
  }
  throw new Error('the assembly has no stack');
};

/** @param folder the output folder of `cdk synth` */
export const readAssembly = (folder: string): Assembly => {
  const [name, environment, properties] = stackIn(readJson(join(folder, 'manifest.json')));
  const { templateFile, stackName, requiresBootstrapStackVersion: version } = properties;
  const template = parseTemplate(readJson(join(folder, String(templateFile))));
  const record = readDeploymentRecord(template.metadata);
  if (record === undefined) throw new Error('the template has no record of its settings');
  return {
    stackName: typeof stackName === 'string' ? stackName : name,
    // The form is `aws://ACCOUNT/REGION`.
    region: environment.split('/').at(-1) ?? '',
    template,
    record,
    bootstrapVersion: typeof version === 'number' ? version : undefined,
  };
};
