// Builds the tables about the platform: the answers that AWS creates itself, and the guards of a deployment with their
// prices.
import { type GuardPrice, type GuardRow, guards } from '../../contract/guards.ts';
import { mayRetry, type PlatformAnswer, platformAnswerRows } from '../../contract/platform-answers.ts';
import { priceOf, priceSources, prices } from '../../contract/prices.ts';
import { keysOf } from '../../model/table-keys.ts';
import { dollars } from '../costs/formats.ts';
import { codeList, inlineCode, table } from './markdown-blocks.ts';

const MILLION = 1e6;

const statusText = ({ statuses }: PlatformAnswer): string => statuses.join(' or ');

const bodyText = ({ body, outcome, mediaType }: PlatformAnswer): string => {
  if (outcome === 'document') return `problem document, as ${inlineCode(mediaType)}`;
  return body === undefined ? inlineCode(mediaType) : inlineCode(JSON.stringify(body));
};

const advice = ({ statuses, outcome }: PlatformAnswer): string => {
  if (!statuses.every(mayRetry)) return 'Correct the request.';
  return outcome === 'document'
    ? 'Wait for `Retry-After`.'
    : 'Retry after a second, and after twice as long each time.';
};

const yesNo = (isTrue = false): string => (isTrue ? 'yes' : 'no');

/** For callers: the answers that they can see. */
const platformAnswersTable = (): string =>
  table(
    ['Status', 'From', 'Cause', 'Body', 'CORS', 'What to do'],
    platformAnswerRows
      .filter(({ outcome }) => outcome !== 'prevented')
      .map((row) => [statusText(row), row.layer, row.cause, bodyText(row), yesNo(row.hasCors), advice(row)]),
  );

const outcomes: Readonly<Record<PlatformAnswer['outcome'], string>> = {
  prevented: 'prevented',
  document: 'a problem document',
  stays: 'stays',
};

/** For developers: all answers, and why they are as they are. docs/platform-answers.md contains the table. */
export const platformReasons = (): string =>
  table(
    ['From', 'Status', 'Cause', 'Result', 'Reason'],
    platformAnswerRows.map((row) => [row.layer, statusText(row), row.cause, outcomes[row.outcome], row.reason]),
  );

const monthlyText = ({ monthly = {} }: GuardPrice): readonly string[] => {
  const usd = keysOf(monthly).reduce((sum, name) => sum + priceOf(name, monthly[name] ?? 0), 0);
  return usd === 0 ? [] : [`${dollars(usd)} a month`];
};

const requestsText = ({ perRequest, counted = 'requests' }: GuardPrice): readonly string[] =>
  perRequest === undefined ? [] : [`${dollars(priceOf(perRequest, MILLION))} per million ${counted}`];

/** The price with a link to its source. */
const priceText = (price: GuardPrice): string => {
  const [name] = [...keysOf(price.monthly ?? {}), ...(price.perRequest === undefined ? [] : [price.perRequest])];
  if (name === undefined) return 'free';
  const text = [...monthlyText(price), ...requestsText(price)].join(', and ');
  return `[${text}](${priceSources[prices[name].source]})`;
};

const guardsTable = (): string =>
  table(
    ['Setting', 'Effect', 'Rejected callers get', 'Price'],
    Object.values<GuardRow>(guards).map(({ settings, effect, rejection = '', price }) => [
      codeList(settings),
      effect,
      rejection,
      priceText(price),
    ]),
  );

export const platformTables = {
  guards: guardsTable,
  platformAnswers: platformAnswersTable,
} as const;
