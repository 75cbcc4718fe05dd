// Writes the report of a deployment for the operator.
import { isSettingName } from '../config/settings.ts';
import type { Assembly } from './assembly.ts';
import { type Change, plural, topics, wordList } from './change.ts';
import type { Template } from './template.ts';

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'function',
  'AWS::DynamoDB::Table': 'table',
  'AWS::CloudFront::Distribution': 'CloudFront distribution',
  'AWS::ApiGatewayV2::Api': 'HTTP API',
  'AWS::SecretsManager::Secret': 'secret',
  'AWS::CloudWatch::Alarm': 'alarm',
  'AWS::CloudWatch::Dashboard': 'dashboard',
  'AWS::WAFv2::WebACL': 'web ACL',
};

/** Names of settings, of variables and of CloudFormation stay as they are. */
const upper = (text: string): string =>
  /^[a-z]+[ :]/.test(text) && !isSettingName(text.split(/[ :]/)[0] ?? '')
    ? `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    : text;

const lineOf = ({ text, needsYes = false }: Change): string => `  ${needsYes ? '!' : '-'} ${upper(text)}.`;

/** @returns the changes below the heading of their topic */
export const changeLines = (changes: readonly Change[]): readonly string[] =>
  Object.entries(topics).flatMap(([topic, heading]) => {
    const own = changes.filter((change) => change.topic === topic);
    return own.length === 0 ? [] : [heading, ...own.map(lineOf), ''];
  });

/** @returns what a first deployment creates */
export const creationLine = ({ resources }: Template): string => {
  const types = [...resources.values()].map(({ type }) => type);
  const counted = Object.entries(TYPE_NOUNS).flatMap(([type, noun]) => {
    const count = types.filter((other) => other === type).length;
    return count === 0 ? [] : [plural(count, noun)];
  });
  return `This is the first deployment. It creates ${plural(types.length, 'resource')}, among them ${wordList(counted)}.`;
};

/** @returns why the deployment stops; undefined: it may go on */
export const refusal = (changes: readonly Change[], accepted: boolean): string | undefined => {
  const count = changes.filter(({ needsYes = false }) => needsYes).length;
  if (count === 0 || accepted) return undefined;
  return `Refused: ${plural(count, 'change')} marked with ! cannot be undone, or ${count === 1 ? 'hurts' : 'hurt'} users. Nothing was deployed. To accept, run the command with --yes.`;
};

export interface Follow {
  readonly outputs: ReadonlyMap<string, string>;
  readonly isFirst: boolean;
}

/** @returns the outputs, and what to do after the deployment */
export const closingLines = ({ record: { settings } }: Assembly, { outputs, isFirst }: Follow): readonly string[] => {
  const url = outputs.get('Url');
  const target = outputs.get('DistributionDomain');
  const { domainName, alarmEmail, adminTokenHashes, securityContact } = settings;
  return [
    '',
    ...[...outputs].map(([name, value]) => `${name}: ${value}`),
    '',
    'Next:',
    ...(domainName !== undefined && isFirst
      ? [`  - Point the DNS name ${domainName} to ${target ?? 'the distribution'}.`]
      : []),
    ...(url === undefined ? [] : [`  - Verify the deployment: npm run verify -- ${url}`]),
    ...(alarmEmail !== undefined && isFirst
      ? [`  - Confirm the subscription in the mail to ${alarmEmail}: without it, no alarm arrives.`]
      : []),
    ...(alarmEmail === undefined ? ['  - Set alarmEmail: without it, alarms are visible only in the console.'] : []),
    ...(adminTokenHashes === undefined ? ['  - Set adminTokenHashes: without it, the dashboard is disabled.'] : []),
    ...(securityContact === undefined
      ? ['  - Set securityContact: without it, security.txt names no address for reports of vulnerabilities.']
      : []),
  ];
};
