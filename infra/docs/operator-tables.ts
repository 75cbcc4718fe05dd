// Builds the tables for operators from the contract: settings, providers, stores, alarms and functions. The table of the
// settings on AWS comes from the JSON Schema of postern.config.json.
import configSchema from '../../postern.config.schema.json' with { type: 'json' };
import { adminOperations } from '../../shared/contract/admin-operations.ts';
import { type AlarmRow, type AlarmUrgency, alarmEntries, hurtAlarm } from '../../shared/contract/alarms.ts';
import { ALLOWANCE_SYNTAX, type AllowanceSettingName, allowanceSettings } from '../../shared/contract/allowances.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { canaryAlarm } from '../../shared/contract/other-functions.ts';
import {
  defaultProviders,
  type ProviderName,
  providerNames,
  providerRow,
  type ReadCost,
  X_API_PRICES,
  xApiCosts,
} from '../../shared/contract/providers.ts';
import { type TableName, tableNames, tables } from '../../shared/contract/tables.ts';
import { keysOf } from '../../shared/model/json.ts';
import { codeList, inlineCode, table } from '../../shared/publish/pages/markdown-blocks.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import { idle } from './bill.ts';

const allowanceMeanings: Readonly<Record<AllowanceSettingName, string>> = {
  searchAnonymous: 'Searches of one caller without an API key.',
  searchKeyed: 'Searches with an API key that has no allowance of its own.',
  browse: 'Profiles and lists, with or without an API key. Replies, quotes and reposts count by address.',
  searchPool: 'Searches of all callers without an API key together: the allowance pool.',
};

const allowanceSettingsTable = (): string =>
  `${table(
    ['Variable', 'Setting on AWS', 'Default', 'Applies to'],
    keysOf(allowanceSettings).map((name) => {
      const { variable, setting, preset } = allowanceSettings[name];
      const shown = preset === '' ? 'none' : inlineCode(preset);
      return [inlineCode(variable), inlineCode(setting), shown, allowanceMeanings[name]];
    }),
  )}\n\nA value ${ALLOWANCE_SYNTAX}.`;

const abilities: Readonly<Record<ProviderName, readonly [can: string, costs: string]>> = {
  fxtwitter: [
    'posts with their conversations, replies, quotes, reposts, profiles, timelines, follow lists, searches for posts and accounts, lists of X as far as a search finds their posts',
    'free, best effort, 1,000 requests per minute and IP address',
  ],
  syndication: ['only the post', 'free, best effort'],
  x_api: [
    'posts with their ancestors and a thread of the last 7 days, quotes, reposts, replies of the last 7 days, profiles, timelines, lists of X, follow lists, searches of the last 7 days',
    `pay per use: $${X_API_PRICES.post} per post, $${X_API_PRICES.user} per account`,
  ],
};

const providers = (): string =>
  table(
    ['Provider', 'Supports', 'Cost', 'Variable and default URL', 'Setting on AWS', 'Requires'],
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

/** The ways to get the content of X, each with its `PROVIDERS` and what it requires of the operator. */
const providerModes = (): string =>
  table(
    ['Mode', '`PROVIDERS`', 'Price', 'Who requests X', 'What it asks of you', 'A host that is open to all'],
    [
      [
        'free third party',
        inlineCode(defaultProviders.join(',')),
        'free, best effort',
        'FxTwitter, and you for a post that FxTwitter does not have',
        'Nothing to sign. The third party can limit or end its service at any time.',
        'no agreement, so none that allows it',
      ],
      [
        'your own FxEmbed',
        '`fxtwitter` with `FXTWITTER_BASE_URL`',
        'that of your server',
        'you',
        'Accounts of X or a relay for FxEmbed. You are bound by the terms that these accounts accepted.',
        'not allowed by an agreement; the terms for users bind your accounts',
      ],
      [
        'official API only',
        '`x_api`',
        `$${X_API_PRICES.post} per post, $${X_API_PRICES.user} per account`,
        'you, with your token',
        'A developer account, whose terms you accept. They also say how long and how you may show posts.',
        'restricted by the agreement: III.A (c) to (e), III.K, III.L, and the policy on redistribution',
      ],
    ],
  );

const storedItems: Readonly<Record<TableName, string>> = {
  keys: 'hashes of API keys, with labels and allowances',
  counters:
    'spent units, which expire a day after their window; the last day of use of each API key, which expires after 400 days; rows that X billed, which expire after a month',
  admin: 'dashboard sessions; audit entries with operator, action, time and network, which expire after 400 days',
};

const stores = (): string =>
  table(
    ['Table', 'Variable', 'Content', 'Kept after the stack is deleted'],
    tableNames.map((name) => [
      name,
      inlineCode(tables[name].variable),
      storedItems[name],
      tables[name].isRetained ? 'yes' : 'no',
    ]),
  );

const alarmScopes: Readonly<Record<AlarmRow['per'], string>> = {
  service: '',
  function: ', for each function',
  baseUrl: ', for each address of a provider',
};

const alarmUrgencies: Readonly<Record<AlarmUrgency, string>> = {
  page: 'page',
  part: 'part of the page',
  half: 'half of a part',
  ticket: 'ticket',
};

const windowText = ({ minutes, breaching, of }: AlarmRow): string =>
  of === 1 ? `${minutes} minutes` : `${breaching} of ${of} periods of ${minutes} minute${minutes === 1 ? '' : 's'}`;

/** The alarms, and what `metrics` means for them. */
const alarmsSection = (): string => {
  const ofFunctions = alarmEntries.flatMap(([name, { isOfFunctions }]) => (isOfFunctions ? [name] : []));
  return [
    alarmsTable(),
    `With \`metrics\` set to \`none\`, the functions write no metrics, so these alarms do not exist: ${codeList(ofFunctions)}.`,
    `CloudWatch bills each metric that an alarm reads, and the composite alarm: with the default settings, the alarms read ${idle.alarmMetrics} metrics.`,
  ].join('\n\n');
};

const { listKeys, createKey, changeKey, deleteKey, showUsage, showWithheld, showAudit } = adminOperations;

/** The routes for scripts. */
const adminRoutes = (): string =>
  codeList(
    [listKeys, createKey, changeKey, deleteKey, showUsage, showWithheld, showAudit].map(
      ({ method, path }) => `${method} ${path}`,
    ),
  );

const alarmsTable = (): string =>
  table(
    ['Alarm', 'Raised if', 'In', 'Urgency', 'Meaning'],
    [
      [inlineCode(hurtAlarm.name), hurtAlarm.condition, '', alarmUrgencies.page, hurtAlarm.meaning],
      ...alarmEntries.map(([name, row]) => [
        `${inlineCode(name)}${alarmScopes[row.per]}`,
        row.condition,
        windowText(row),
        alarmUrgencies[row.urgency],
        row.meaning,
      ]),
      [
        inlineCode(canaryAlarm.name),
        'two of three runs find a broken promise',
        'see `canaryMinutes`',
        alarmUrgencies.ticket,
        canaryAlarm.meaning,
      ],
    ],
  );

const functions = (): string =>
  table(
    ['Function', 'Memory', 'Effect of a failure'],
    Object.entries(lambdas).map(([name, { memoryMiB, impact }]) => [inlineCode(name), `${memoryMiB} MiB`, impact]),
  );

const rowsText = ([least, most]: ReadCost['rows']): string => (least === most ? String(least) : `${least} to ${most}`);

const xApiCostTable = (): string =>
  table(
    ['Read', 'Requests, first page / later page', 'Rows per request', 'Price of a row', 'Billed but not shown'],
    Object.values<ReadCost>(xApiCosts).map(({ read, requests, laterRequests, row, rows, unused = '' }) => [
      read,
      laterRequests === undefined ? String(requests) : `${requests} / ${laterRequests}`,
      `${rowsText(rows)} ${row}s`,
      `$${X_API_PRICES[row]}`,
      unused,
    ]),
  );

interface SettingSchema {
  readonly description: string;
  readonly default?: unknown;
}

const defaultText = ({ default: preset }: SettingSchema): string => {
  if (preset === undefined) return 'none';
  return inlineCode(Array.isArray(preset) ? preset.join(',') : String(preset));
};

const awsSettings = (): string =>
  table(
    ['Setting', 'Default', 'Meaning'],
    Object.entries<SettingSchema>(configSchema.properties)
      .filter(([name]) => name !== '$schema')
      .map(([name, schema]) => [inlineCode(name), defaultText(schema), schema.description]),
  );

const variables = (): string =>
  table(
    ['Variable', 'Default', 'Meaning'],
    Object.entries(variableDescriptions).map(([name, row]) => [inlineCode(name), row.default, row.meaning]),
  );

export const operatorTables = {
  adminRoutes,
  alarms: alarmsSection,
  allowanceSettings: allowanceSettingsTable,
  awsSettings,
  functions,
  providerModes,
  providers,
  stores,
  variables,
  xApiCosts: xApiCostTable,
} as const;
