// Reads CloudFormation templates, which come from outside: the deployed one from the account, the new one from the cloud
// assembly. A template records which release and which settings made it; settings contain no secrets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { type Allowance, formatAllowance } from '../../shared/contract/allowances.ts';
import { asRecord, isRecord, type JsonRecord, parseJson } from '../../shared/model/json.ts';
import { formatWithheld } from '../../shared/model/withheld.ts';
import { isSettingName, type SettingName, settingNames } from '../config/settings.ts';
import type { Config } from '../config.ts';

const asObject = (value: unknown): JsonRecord => asRecord(value) ?? {};

/** The name of the record in the metadata of the template. */
export const RECORD = 'Postern';

export interface DeploymentRecord {
  readonly release: string;
  /** The settings as text of the command line; a setting without a value is absent. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
}

const isAllowance = (value: object): value is Allowance => 'count' in value && 'seconds' in value;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value === 'object' && value !== null) return isAllowance(value) ? formatAllowance(value) : '';
  return String(value ?? '');
};

export const recordOf = (config: Config): DeploymentRecord => {
  const texts = settingNames.map((name): [SettingName, string] => [name, textOf(config[name])]);
  const { withheld } = config;
  if (withheld.length > 0) texts.push(['withheld', formatWithheld(withheld)]);
  return { release: packageJson.version, settings: Object.fromEntries(texts.filter(([, text]) => text !== '')) };
};

const readRecord = (metadata: JsonRecord): DeploymentRecord | undefined => {
  const { release, settings } = asObject(metadata[RECORD]);
  if (typeof release !== 'string' || !isRecord(settings)) return undefined;
  const known = Object.entries(settings).flatMap(([name, text]): [SettingName, string][] =>
    isSettingName(name) && typeof text === 'string' ? [[name, text]] : [],
  );
  return { release, settings: Object.fromEntries(known) };
};

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
