// Records in the metadata of a template which release and which settings made it. Settings contain no secrets.
import packageJson from '../../package.json' with { type: 'json' };
import { type Allowance, formatAllowance } from '../../shared/contract/allowances.ts';
import { asRecord, isRecord, type JsonRecord } from '../../shared/model/json.ts';
import { formatWithheld } from '../../shared/model/withheld.ts';
import { type Config, isSettingName, type SettingName, settingNames } from './settings.ts';

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

/** @param metadata of a template @returns undefined: release 0.8.0 or older recorded nothing */
export const readRecord = (metadata: JsonRecord): DeploymentRecord | undefined => {
  const { release, settings } = asRecord(metadata[RECORD]) ?? {};
  if (typeof release !== 'string' || !isRecord(settings)) return undefined;
  const known = Object.entries(settings).flatMap(([name, text]): [SettingName, string][] =>
    isSettingName(name) && typeof text === 'string' ? [[name, text]] : [],
  );
  return { release, settings: Object.fromEntries(known) };
};
