// Reads the operator's settings from postern.config.json and from cdk context: `npm run deploy -- -c cacheTtlSeconds=60`.
// Context wins. Every setting has a default that deploys. An invalid or unknown setting stops the synthesis with its
// name. The rows of the settings are in settings.ts and the files beside it.
import * as z from 'zod';
import type { JsonPath } from '../../shared/model/json-source.ts';
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

interface PlacedText {
  readonly path: JsonPath;
  readonly text: string;
}

const issueTexts = ({ code, path, message, ...issue }: z.core.$ZodIssue): readonly PlacedText[] => {
  if (code === 'unrecognized_keys' && path.length === 0 && 'keys' in issue && Array.isArray(issue.keys))
    return issue.keys.map((key) => ({ path: [String(key)], text: unknownName(String(key)) }));
  const name = String(path[0]);
  const rule = code === 'custom' || !isSettingName(name) ? message : settingRow(name).rule;
  return [
    {
      path: path.map((part) => (typeof part === 'number' ? part : String(part))),
      text: `${name}${message.startsWith(':') ? '' : ' '}${rule}`,
    },
  ];
};

/**
 * @param context all context of the app, which wins over the file; an empty setting counts as unset
 * @param file the content of postern.config.json
 * @param place where the file has a value, for the errors
 * @throws SetupError with all errors, one per line
 */
export const readConfig = (
  context: Readonly<Record<string, unknown>>,
  file: Readonly<Record<string, unknown>> = {},
  place: (path: JsonPath) => string | undefined = () => undefined,
): Config => {
  const fromContext = Object.fromEntries(Object.entries(context).filter(([name]) => isSetting(name)));
  const given = Object.entries({ ...file, ...fromContext }).filter(([, value]) => value !== '');
  const placed = (path: JsonPath, text: string): string => {
    const found = Object.hasOwn(fromContext, path[0] ?? '') ? undefined : place(path);
    return found === undefined ? text : `${found}: ${text}`;
  };
  const result = configSchema.safeParse(Object.fromEntries(given));
  const secrets = new Map(
    given.flatMap(([name, value]) => {
      const problem = secretProblem(name, value);
      return problem === undefined ? [] : [[name, placed([name], problem)] as const];
    }),
  );
  if (result.success && secrets.size === 0) return result.data;
  const issues = result.success ? [] : result.error.issues.filter(({ path }) => !secrets.has(String(path[0])));
  const texts = issues.flatMap(issueTexts).map(({ path, text }) => placed(path, text));
  throw new SetupError([...new Set([...secrets.values(), ...texts])].join('\n'));
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
