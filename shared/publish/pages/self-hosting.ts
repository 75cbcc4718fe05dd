// Running it, on one machine and on AWS.
import { adminOperations } from '../../contract/admin-operations.ts';
import { type AlarmRow, functionAlarms, logAlarmRows, serviceAlarms } from '../../contract/alarms.ts';
import { ALLOWANCE_SYNTAX, type AllowanceSettingName, allowanceSettings } from '../../contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../../contract/caching.ts';
import { documents } from '../../contract/documents.ts';
import { lambdas } from '../../contract/lambdas.ts';
import { defaultProviders, type ProviderName, providerNames, providerRow } from '../../contract/providers.ts';
import { type TableName, tableNames, tables } from '../../contract/tables.ts';
import { link, opening, sh, table, warned } from './parts.ts';

/** Where a local service answers. */
const LOCAL = 'http://127.0.0.1:3000';

const allowanceMeanings: Readonly<Record<AllowanceSettingName, string>> = {
  searchAnonymous: 'Searches of a caller without a key.',
  searchKeyed: 'Searches with a key that was given nothing else.',
  browse: 'Profiles and lists, with or without a key.',
  searchPool: 'Searches of all callers without a key together.',
};

const isAllowance = (name: string): name is AllowanceSettingName => Object.hasOwn(allowanceSettings, name);

const allowanceTable = table(
  ['Variable', 'Setting on AWS', 'Default', 'Limits'],
  Object.keys(allowanceSettings)
    .filter(isAllowance)
    .map((name) => {
      const { variable, setting, preset } = allowanceSettings[name];
      return [
        `\`${variable}\``,
        `\`${setting}\``,
        preset === '' ? 'none' : `\`${preset}\``,
        allowanceMeanings[name],
      ] as const;
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

const providerTable = table(
  ['Provider', 'Reads', 'Costs', 'Address', 'Setting on AWS', 'Needs'],
  providerNames.map((name) => {
    const { variable, setting, baseUrl, secret } = providerRow(name);
    return [
      `\`${name}\``,
      ...abilities[name],
      `\`${variable}\`, \`${baseUrl}\``,
      `\`${setting}\``,
      secret === undefined ? '' : `\`${secret.variable}\`; on AWS \`${secret.setting}\``,
    ];
  }),
);

const kept: Readonly<Record<TableName, string>> = {
  keys: 'hashes of keys, their labels and allowances',
  counters:
    'what was spent, which expires a day after its window; on which day a key was last used, which expires after 400 days',
  admin: 'sessions of the dashboard; who did what, when, and from which network',
};

const tableTable = table(
  ['Table', 'Variable', 'Holds', 'Outlives the stack'],
  tableNames.map((name) => [name, `\`${tables[name].variable}\``, kept[name], tables[name].isRetained ? 'yes' : 'no']),
);

const alarmRows = (of: string, rows: Readonly<Record<string, AlarmRow>>) =>
  Object.entries(rows).map(([name, { meaning, times, minutes }]) => [
    of,
    `\`${name}\``,
    times === 1 ? `once in ${minutes} minutes` : `${times} times in ${minutes} minutes`,
    meaning,
  ]);

const alarmTable = table(
  ['Of', 'Alarm', 'When', 'Means'],
  [
    ...alarmRows('each function', functionAlarms),
    ...alarmRows('each log', Object.fromEntries(logAlarmRows)),
    ...alarmRows('the whole', serviceAlarms),
  ],
);

const surfaceTable = table(
  ['Function', 'Memory', 'When it fails'],
  Object.entries(lambdas).map(([name, { memoryMiB, impact }]) => [`\`${name}\``, `${memoryMiB} MiB`, impact]),
);

const { listKeys, createKey, changeKey, deleteKey, showUsage, showAudit, showDashboard } = adminOperations;

const calls = [listKeys, createKey, changeKey, deleteKey, showUsage, showAudit]
  .map(({ method, path }) => `\`${method} ${path}\``)
  .join(', ');

export const selfHostingPage = (): string => `${opening(
  'selfHosting',
  'Run the whole service on one machine with Node and nothing else, or deploy it to your own AWS account; then choose sources, hand out keys and watch it.',
)}

## On one machine

${sh('npm ci && npm start', `curl ${LOCAL}/jack/status/20`)}

Node 20 or newer is enough to begin with: the project brings the Node that it runs on. There is no AWS account and no Docker in it. The first line of the output says where it listens, the second where posts come from, the third is the operator's token if it was made up. One post without a running service, and the tests:

${sh('npm run -s read -- https://x.com/jack/status/20', 'npm test')}

With \`UPSTREAM=auto\` the first source is asked once at start. If it does not answer, the service replays bundled answers, some recorded and most invented, and \`source\` is \`sample\`. Other ids are 404 then.

| Variable | Default | Meaning |
| --- | --- | --- |
| \`PORT\`, \`HOST\` | 3000, 127.0.0.1 | Where it listens. |
| \`BASE_URL\` | the address it listens on | What links and the \`type\` of problems begin with. |
| \`UPSTREAM\` | \`auto\` | \`live\`, \`sample\` or \`auto\`. |
| \`PROVIDERS\` | \`${defaultProviders.join(',')}\` | Who is asked, in this order. See [sources](#sources). |
| \`CANARY_POST\`, \`CANARY_PROFILE\` | \`20\`, \`X\` | A post and a profile that exist: they tell what is missing from an outage. |
| \`CACHE_TTL_SECONDS\` | ${DEFAULT_CACHE_TTL_SECONDS} | How long shared caches keep a post. 0 turns caching off. |
| \`CURSOR_SECRETS\` | made up, kept in \`DATA_DIR\` | What signs cursors. Of several the first signs and all are accepted. |
| \`ADMIN_TOKEN\` | made up, printed at start | Opens the dashboard and the API for keys. |
| \`ADMIN_TOKEN_HASHES\` | made from \`ADMIN_TOKEN\` | \`NAME=SHA-256\` of the tokens of several operators, separated by commas. |
| \`DATA_DIR\` | \`.local\` | Where keys and what else outlives a run are kept; \`memory\` for nowhere. |
| \`DYNAMODB_ENDPOINT\` | embedded | Another DynamoDB, such as DynamoDB Local. |
| ${tableNames.map((name) => `\`${tables[name].variable}\``).join(', ')} | \`postern-…\` | Names of its tables. |
| \`ORIGIN_SECRETS\` | \`local\` | One or two accepted values of \`x-origin-secret\`. |
| \`SECURITY_CONTACT\` | this page | See [security contact](#security-contact). |

A variable that is empty counts as unset. A wrong one stops the start and is named.

### Allowances

${allowanceTable}

A value ${ALLOWANCE_SYNTAX}. Callers see it in \`RateLimit-Policy\`: see ${link('limits')}.

## Sources

${providerTable}

\`PROVIDERS\` is one list. Each kind of read asks those in it that can do it, in that order, until one has an answer; a profile, list or search of another than the first says ${warned('fallback_answered')}, a post what it lacks. A page of 100 followers by \`x_api\` costs $1. X bills a row once a day, and what is asked for again within a minute comes from memory. Put it last to pay only when the free ones fail, first for the best chance of an answer. \`feed=users\` needs \`fxtwitter\`; without it such a search is 503.

An address may be that of a server of the same kind, for example a FxEmbed of your own.

## On AWS

CloudFront, an HTTP API, one small Lambda for each surface, three DynamoDB tables. With credentials of your account:

${sh('npm ci', 'npm run build', 'npx cdk bootstrap', 'npm run deploy')}

It prints the address. \`npm run synth\` writes the template alone, offline. Settings are cdk context, on the command line or below \`context\` in \`cdk.json\`; one that is misspelt or malformed stops the synthesis with its name:

${sh('npm run deploy -- -c cacheTtlSeconds=600 -c alarmEmail=ops@example.org')}

| Setting | Default | Meaning |
| --- | --- | --- |
| \`region\` | \`us-east-1\` | Where the functions and tables are. |
| \`domainName\`, \`certificateArn\` | none | A domain of yours and its ACM certificate in us-east-1: both or neither. |
| \`baseUrl\` | the domain, else CloudFront's name | What links begin with. |
| \`providers\`, \`canaryPost\`, \`canaryProfile\`, \`cacheTtlSeconds\` | as above | As the variables above. |
| \`xApiTokenSecret\` | none | Name of a secret in Secrets Manager that holds the bearer token of the X API and nothing else. Needed where \`x_api\` is in \`providers\`. |
| \`adminTokenHashes\` | none: the dashboard is closed | As \`ADMIN_TOKEN_HASHES\`. |
| \`securityContact\` | this page | See [security contact](#security-contact). |
| \`alarmEmail\` | none | Who gets alarms. |
| \`arch\` | \`arm64\` | \`arm64\` or \`x86_64\`. |
| \`originSecret\` | \`generated\` | \`generated\` in Secrets Manager, or \`parameter\` of the deployment. |
| \`originSecretVersion\`, \`cursorSecretVersion\` | 1 | Raise by one to rotate a generated secret; the one before stays accepted. |
| \`logRetentionDays\` | 30 | How long CloudWatch keeps logs. |

Settings of allowances and addresses are in the tables above.

## Dashboard and keys

\`${showDashboard.path}\` shows keys, what they use, the state of store and sources, and who did what. It is closed until the service knows an operator. Make up a token, keep the first line, and deploy the second, its hash:

${sh(
  `node -p "const token = crypto.randomBytes(32).toString('base64url'); token + '\\n' + crypto.createHash('sha256').update(token).digest('hex')"`,
  'npm run deploy -- -c adminTokenHashes=ada=HASH',
)}

Keys from a shell, with the token in \`ADMIN_TOKEN\` and the service in \`BASE_URL\` (by default the local one):

${sh(
  'npm run -s keys -- create --label "Ada\'s agent" --search 120/60',
  'npm run -s keys -- list',
  'npm run -s keys -- disable ID',
  'npm run -s keys -- enable ID',
  'npm run -s keys -- delete ID',
)}

\`create\` prints the key on its last line, this once: only its hash is kept. Hand it over out of band. What is done to a key holds for the very next request. Scripts may call the API beneath with \`Authorization: Bearer\` and an operator's token: ${calls}. These routes are private: without a token they are 401.

${sh('# 401 unauthorized', `curl ${LOCAL}${listKeys.path}`)}

## What is kept

${tableTable}

The address of a reader is not stored. The counters of a reader without a key are found by a keyed hash of the address, of IPv6 of the /64 network, and DynamoDB deletes them once they have expired. The network of an operator is stored: the audit keeps it with each entry, for good. Functions that answer the public can look a key up and count, nothing else.

## Logs and alarms

Every function logs JSON, one object a line, in a log group of its own: a line of each request with \`request_id\`, \`operation\`, \`status\`, \`code\`, \`key\` (the key status, never the key) and \`duration_ms\`. No addresses, queries or keys are logged; after ten wrong keys from one address within fifteen minutes, its keyed hash is. Alarms are there in any case; with \`alarmEmail\` they are mailed to the address, once its owner has confirmed the subscription that AWS asks about on the first deployment. What a failing function means to callers is in the table after this one:

${alarmTable}

${surfaceTable}

## Security contact

Found a hole? ${link('securityTxt', '`security.txt`')} names whom to tell. If it leads to this section, the operator of this deployment has named nobody: write to whoever runs it, by the domain's own contacts, and keep the details out of public places until it is closed.

Operators: name a contact, an address that begins with \`mailto:\` or \`https:\`. On AWS:

${sh('npm run deploy -- -c securityContact=mailto:security@example.org')}

On one machine it is the variable \`SECURITY_CONTACT\`:

${sh('SECURITY_CONTACT=mailto:security@example.org npm start', `curl ${LOCAL}${documents.securityTxt.path}`)}
`;
