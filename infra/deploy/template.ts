// Reads CloudFormation templates, which come from outside: the deployed one from the account, the new one from the cloud
// assembly.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, type JsonRecord, parseJson } from '../../shared/model/json.ts';
import { type DeploymentRecord, readRecord } from '../config/deployment-record.ts';

const asObject = (value: unknown): JsonRecord => asRecord(value) ?? {};

export interface Template {
  /** By logical id. */
  readonly resources: ReadonlyMap<string, { readonly type: string }>;
  /** Undefined: release 0.8.0 or older recorded nothing, or the stack is not of Postern. */
  readonly record: DeploymentRecord | undefined;
}

/** The CDK writes JSON. A stack of another tool may have YAML: its empty template is refused as one that is not ours. */
export const parseTemplate = (text: string): Template => {
  const { Resources, Metadata } = asObject(parseJson(text));
  const resources = Object.entries(asObject(Resources));
  return {
    resources: new Map(resources.map(([id, value]) => [id, { type: String(asObject(value)['Type']) }])),
    record: readRecord(asObject(Metadata)),
  };
};

/** The CDK appends eight digits to the path of a secret. */
const VERSIONED = /^(OriginSecret|CursorSecret)V(\d+)[0-9A-F]{8}$/;

const settings = { OriginSecret: 'originSecretVersion', CursorSecret: 'cursorSecretVersion' } as const;

/** @returns by setting, the secret in use */
export const newestSecrets = ({
  resources,
}: Template): ReadonlyMap<string, { readonly id: string; readonly version: number }> => {
  const newest = new Map<string, { readonly id: string; readonly version: number }>();
  for (const id of resources.keys()) {
    const [, name, digits] = VERSIONED.exec(id) ?? [];
    if (name !== 'OriginSecret' && name !== 'CursorSecret') continue;
    const version = Number(digits);
    if (version > (newest.get(settings[name])?.version ?? 0)) newest.set(settings[name], { id, version });
  }
  return newest;
};

/** The result of `cdk synth`. */
export interface Assembly {
  readonly stackName: string;
  readonly region: string;
  readonly template: Template;
  readonly record: DeploymentRecord;
}

const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

/** @param folder the output folder of `cdk synth` */
export const readAssembly = (folder: string): Assembly => {
  const artifacts = asObject(asObject(parseJson(read(folder, 'manifest.json')))['artifacts']);
  for (const [name, artifact] of Object.entries(artifacts)) {
    const { type, environment, properties } = asObject(artifact);
    if (type !== 'aws:cloudformation:stack') continue;
    const { templateFile, stackName = name } = asObject(properties);
    const template = parseTemplate(read(folder, String(templateFile)));
    // The form of the environment is `aws://ACCOUNT/REGION`. Only the stack of the service has a record.
    const region = String(environment).split('/').at(-1) ?? '';
    if (template.record) return { stackName: String(stackName), region, template, record: template.record };
  }
  throw new Error('no template has a record of its settings');
};

/** @returns the outputs of a stack in the file that `cdk deploy --outputs-file` writes */
export const readOutputs = (file: string, stackName: string): ReadonlyMap<string, string> => {
  const outputs = asObject(asObject(parseJson(readFileSync(file, 'utf8')))[stackName]);
  return new Map(Object.entries(outputs).map(([name, value]) => [name, String(value)]));
};
