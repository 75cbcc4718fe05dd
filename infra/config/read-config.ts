// Reads the operator's settings from postern.config.json and from cdk context: `npm run deploy -- -c cacheTtlSeconds=60`.
// Context wins. Every setting has a default that deploys. An invalid or unknown setting stops the synthesis with its
// name. The rows of the settings are in settings.ts and the files beside it.
import * as z from 'zod';
import { nearestName, shortName } from './nearest-name.ts';
import { secretProblem } from './secret-values.ts';
import { SetupError } from './setting.ts';
import {
  type Config,
  configSchema,
  fileSchema,
  isSettingName,
  removedSettings,
  settingNames,
  settingRow,
} from './settings.ts';

/** Feature flags and other context of the CDK have `@`, `:` or `-` in their names; settings have not. */
const isSetting = (name: string): boolean => !/[@:-]/.test(name);

const unknownName = (name: string): string => {
  const instead = removedSettings.get(name);
  return instead === undefined
    ? `${shortName(name)}: no such setting; the nearest is ${nearestName(name, settingNames)}`
    : `${name} was removed: ${instead}`;
};

const issueTexts = ({ code, path, message, ...issue }: z.core.$ZodIssue): readonly string[] => {
  if (code === 'unrecognized_keys' && path.length === 0 && 'keys' in issue && Array.isArray(issue.keys))
    return issue.keys.map((key) => unknownName(String(key)));
  const name = String(path[0]);
  return [
    `${name}${message.startsWith(':') ? '' : ' '}${code === 'custom' || !isSettingName(name) ? message : settingRow(name).rule}`,
  ];
};

/**
 * @param context all context of the app, which wins over the file; an empty setting counts as unset
 * @param file the content of postern.config.json
 * @throws SetupError with all errors, one per line
 */
export const readConfig = (
  context: Readonly<Record<string, unknown>>,
  file: Readonly<Record<string, unknown>> = {},
): Config => {
  const fromContext = Object.entries(context).filter(([name]) => isSetting(name));
  const given = Object.entries({ ...file, ...Object.fromEntries(fromContext) }).filter(([, value]) => value !== '');
  const result = configSchema.safeParse(Object.fromEntries(given));
  const secrets = new Map(
    given.flatMap(([name, value]) => {
      const problem = secretProblem(name, value);
      return problem === undefined ? [] : [[name, problem] as const];
    }),
  );
  if (result.success && secrets.size === 0) return result.data;
  const issues = result.success ? [] : result.error.issues.filter(({ path }) => !secrets.has(String(path[0])));
  throw new SetupError([...new Set([...secrets.values(), ...issues.flatMap(issueTexts)])].join('\n'));
};

/**
 * With it, editors complete and check postern.config.json.
 *
 * @returns a schema of JSON Schema 2020-12, as text. It cannot express the rules between settings
 */
export const configJsonSchema = (): string => {
  const { properties, ...rest } = z.toJSONSchema(fileSchema, { io: 'input' });
  const schema = {
    ...rest,
    title: 'Settings of Postern',
    description: 'The form of postern.config.json. Every setting has a default.',
    properties: { $schema: { type: 'string', description: 'This schema, for editors.' }, ...properties },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
};
