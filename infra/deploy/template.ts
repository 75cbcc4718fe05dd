// Reads CloudFormation templates, which come from outside: the deployed one from the account, the new one from the cloud
// assembly.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, type JsonRecord, parseJson } from '../../shared/model/json.ts';
import { type DeploymentRecord, readRecord } from '../config/deployment-record.ts';

const asObject = (value: unknown): JsonRecord => asRecord(value) ?? {};

export interface Resource {
  readonly type: string;
  /** In words: `the table keys`. */
  readonly name: string;
}

const resourceOf = (id: string, value: unknown): Resource => {
  const { Type, Metadata } = asObject(value);
  const type = String(Type);
  const noun = (type.split('::').at(-1) ?? type).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const path = String(asObject(Metadata)['aws:cdk:path'] ?? id).replace(/\/(?:Resource|Default)$/, '');
  return { type, name: `the ${noun} ${path.split('/').at(-1)}` };
};

export interface Template {
  /** The document as CloudFormation has it. */
  readonly document: JsonRecord;
  /** By logical id. */
  readonly resources: ReadonlyMap<string, Resource>;
  /** Undefined: release 0.8.0 or older recorded nothing. */
  readonly record: DeploymentRecord | undefined;
}

export const parseTemplate = (document: unknown): Template => {
  const { Resources, Metadata, ...rest } = asObject(document);
  return {
    document: { ...rest, Resources: asObject(Resources), Metadata: asObject(Metadata) },
    resources: new Map(Object.entries(asObject(Resources)).map(([id, value]) => [id, resourceOf(id, value)])),
    record: readRecord(asObject(Metadata)),
  };
};

/** The CDK writes JSON. A stack of another tool may have YAML: its empty template is refused as one that is not ours. */
export const parseTemplateText = (text: string): Template => parseTemplate(parseJson(text));

/** @returns the logical ids of the resources of a type */
export const idsOfType = ({ resources }: Template, type: string): readonly string[] =>
  [...resources].flatMap(([id, resource]) => (resource.type === type ? [id] : []));

/** The result of `cdk synth`. */
export interface Assembly {
  readonly stackName: string;
  readonly region: string;
  readonly template: Template;
  readonly record: DeploymentRecord;
  /** The least version of the bootstrap stack; undefined: the stack needs none. */
  readonly bootstrapVersion: number | undefined;
}

const readJson = (file: string): JsonRecord => asObject(JSON.parse(readFileSync(file, 'utf8')));

/** @param folder the output folder of `cdk synth` */
export const readAssembly = (folder: string): Assembly => {
  const artifacts = Object.entries(asObject(readJson(join(folder, 'manifest.json'))['artifacts']));
  const [name = '', artifact] = artifacts.find(([, row]) => asObject(row)['type'] === 'aws:cloudformation:stack') ?? [];
  const { environment, properties } = asObject(artifact);
  const { templateFile, stackName, requiresBootstrapStackVersion: version } = asObject(properties);
  const template = parseTemplate(readJson(join(folder, String(templateFile))));
  if (template.record === undefined) throw new Error('the template has no record of its settings');
  return {
    stackName: typeof stackName === 'string' ? stackName : name,
    // The form is `aws://ACCOUNT/REGION`.
    region: String(environment).split('/').at(-1) ?? '',
    template,
    record: template.record,
    bootstrapVersion: typeof version === 'number' ? version : undefined,
  };
};
