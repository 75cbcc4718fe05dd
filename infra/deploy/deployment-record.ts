// Records in the template which release and which settings made it, so that the next deployment can say what changes.
// Settings contain no secrets.
import packageJson from '../../package.json' with { type: 'json' };
import { type Allowance, formatAllowance } from '../../shared/contract/allowances.ts';
import { isSettingName, type SettingName, settingNames } from '../config/settings.ts';
import type { Config } from '../config.ts';
import { isObject } from './template.ts';

/** The name in the metadata of the template. */
const RECORD = 'Postern';

export interface DeploymentRecord {
  readonly release: string;
  /** The settings as text of the command line; a setting without a value is absent. */
  readonly settings: Readonly<Partial<Record<SettingName, string>>>;
}

const isAllowance = (value: object): value is Allowance => 'count' in value && 'seconds' in value;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return isAllowance(value) ? formatAllowance(value) : '';
};

export const recordOf = (config: Config): DeploymentRecord => {
  const texts = settingNames.map((name): [SettingName, string] => [name, textOf(config[name])]);
  return { release: packageJson.version, settings: Object.fromEntries(texts.filter(([, text]) => text !== '')) };
};

/** @returns the metadata of the template */
export const deploymentRecord = (config: Config): Readonly<Record<typeof RECORD, DeploymentRecord>> => ({
  [RECORD]: recordOf(config),
});

/** @returns undefined if the template is of release 0.8.0 or older, which recorded nothing */
export const readDeploymentRecord = (metadata: unknown): DeploymentRecord | undefined => {
  const record = isObject(metadata) ? metadata[RECORD] : undefined;
  if (!isObject(record) || typeof record['release'] !== 'string' || !isObject(record['settings'])) return undefined;
  const entries = Object.entries(record['settings']).flatMap(([name, text]): [SettingName, string][] =>
    isSettingName(name) && typeof text === 'string' ? [[name, text]] : [],
  );
  return { release: record['release'], settings: Object.fromEntries(entries) };
};
