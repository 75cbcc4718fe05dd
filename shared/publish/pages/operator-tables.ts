// Builds the tables for operators from the contract: settings, providers, stores, alarms and functions.

import { type AlarmRow, functionAlarms, logAlarmRows, serviceAlarms } from '../../contract/alarms.ts';
import { type AllowanceSettingName, allowanceSettings } from '../../contract/allowances.ts';
import { lambdas } from '../../contract/lambdas.ts';
import { type ProviderName, providerNames, providerRow } from '../../contract/providers.ts';
import { type TableName, tableNames, tables } from '../../contract/tables.ts';
import { inlineCode, table } from './markdown-blocks.ts';
import { isNameIn } from './names.ts';

const allowanceMeanings: Readonly<Record<AllowanceSettingName, string>> = {
  searchAnonymous: 'Searches of a caller without a key.',
  searchKeyed: 'Searches with a key that was given nothing else.',
  browse: 'Profiles and lists, with or without a key.',
  searchPool: 'Searches of all callers without a key together.',
};

const allowanceSettingsTable = (): string =>
  table(
    ['Variable', 'Setting on AWS', 'Default', 'Limits'],
    Object.keys(allowanceSettings)
      .filter((name) => isNameIn(allowanceSettings, name))
      .map((name) => {
        const { variable, setting, preset } = allowanceSettings[name];
        return [
          inlineCode(variable),
          inlineCode(setting),
          preset === '' ? 'none' : inlineCode(preset),
          allowanceMeanings[name],
        ];
      }),
  );

const abilities: Readonly<Record<ProviderName, readonly [can: string, costs: string]>> = {
  fxtwitter: [
    'posts with their conversation, profiles, lists, searches, suggested accounts',
    'free, best effort, 1,000 requests a minute for each address',
  ],
  syndication: ['the post alone', 'free, best effort'],
  x_api: [
    'posts with their ancestors and a thread of the last seven days, profiles, lists, searches of the last seven days',
    'pay per use: $0.005 a post, $0.010 a profile or row of a list',
  ],
};

const providers = (): string =>
  table(
    ['Provider', 'Reads', 'Costs', 'Address', 'Setting on AWS', 'Needs'],
    providerNames.map((name) => {
      const { variable, setting, baseUrl, secret } = providerRow(name);
      return [
        inlineCode(name),
        ...abilities[name],
        `\`${variable}\`, \`${baseUrl}\``,
        inlineCode(setting),
        secret === undefined ? '' : `\`${secret.variable}\`; on AWS \`${secret.setting}\``,
      ];
    }),
  );

const storedItems: Readonly<Record<TableName, string>> = {
  keys: 'hashes of keys, their labels and allowances',
  counters:
    'what was spent, which expires a day after its window; on which day a key was last used, which expires after 400 days',
  admin: 'sessions of the dashboard; who did what, when, and from which network',
};

const stores = (): string =>
  table(
    ['Table', 'Variable', 'Holds', 'Outlives the stack'],
    tableNames.map((name) => [
      name,
      inlineCode(tables[name].variable),
      storedItems[name],
      tables[name].isRetained ? 'yes' : 'no',
    ]),
  );

const thresholdText = ({ times, minutes }: AlarmRow): string =>
  times === 1 ? `once in ${minutes} minutes` : `${times} times in ${minutes} minutes`;

const alarmRows = (source: string, rows: readonly (readonly [string, AlarmRow])[]): readonly (readonly string[])[] =>
  rows.map(([name, row]) => [source, inlineCode(name), thresholdText(row), row.meaning]);

const alarms = (): string =>
  table(
    ['Of', 'Alarm', 'When', 'Means'],
    [
      ...alarmRows('each function', Object.entries<AlarmRow>(functionAlarms)),
      ...alarmRows('each log', logAlarmRows),
      ...alarmRows('the whole', Object.entries<AlarmRow>(serviceAlarms)),
    ],
  );

const functions = (): string =>
  table(
    ['Function', 'Memory', 'When it fails'],
    Object.entries(lambdas).map(([name, { memoryMiB, impact }]) => [inlineCode(name), `${memoryMiB} MiB`, impact]),
  );

export const operatorTables = {
  alarms,
  allowanceSettings: allowanceSettingsTable,
  functions,
  providers,
  stores,
} as const;
