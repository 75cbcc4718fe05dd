// Computes the monthly bill of a workload by component, and the price of each guard.
import { DEFAULT_CANARY_MINUTES } from '../../contract/canary.ts';
import { guards } from '../../contract/guards.ts';
import { type PriceName, priceOf } from '../../contract/prices.ts';
import { standingResources } from '../../contract/standing-resources.ts';
import { ACCESS_LOG_BYTES, SECONDS_PER_MONTH } from './assumptions.ts';
import { countMetricSeries } from './metric-series.ts';
import { type Volume, volumeOf, type Workload } from './workload.ts';

interface Item {
  readonly price: PriceName;
  readonly quantity: number;
}

interface Component {
  readonly name: string;
  readonly items: (volume: Volume, workload: Workload) => readonly Item[];
}

/** A run of the canary lasts at most a minute. */
const CANARY_SECONDS = 60;
const CANARY_GIGABYTES = 0.25;
/** About as many as a run sends, which `test/infra/alarm-rehearsal.test.ts` checks. */
export const CANARY_REQUESTS = 70;

/** With the default setting. Its alarm reads two metrics, of which the canary writes one; it writes another one. */
const canaryItems = (): readonly Item[] => {
  const runs = SECONDS_PER_MONTH / (DEFAULT_CANARY_MINUTES * 60);
  const requests = runs * CANARY_REQUESTS;
  return [
    { price: 'lambdaRequests', quantity: runs + requests },
    { price: 'lambdaDuration', quantity: runs * CANARY_SECONDS * CANARY_GIGABYTES + requests * 0.3 * 0.5 },
    { price: 'httpApi', quantity: requests },
    { price: 'cdnRequests', quantity: requests },
    { price: 'alarmMetrics', quantity: 2 },
    { price: 'metrics', quantity: 2 },
  ];
};

const components: readonly Component[] = [
  { name: 'CloudFront requests', items: ({ requests }) => [{ price: 'cdnRequests', quantity: requests }] },
  { name: 'CloudFront data', items: ({ gigabytesOut }) => [{ price: 'cdnData', quantity: gigabytesOut }] },
  { name: 'Edge function', items: ({ requests }) => [{ price: 'edgeFunction', quantity: requests }] },
  { name: 'HTTP API', items: ({ apiRequests }) => [{ price: 'httpApi', quantity: apiRequests }] },
  { name: 'Lambda calls', items: ({ misses }) => [{ price: 'lambdaRequests', quantity: misses }] },
  {
    name: 'Lambda duration',
    items: ({ gigabyteSeconds }) => [{ price: 'lambdaDuration', quantity: gigabyteSeconds }],
  },
  {
    name: 'DynamoDB',
    items: ({ writes, reads }) => [
      { price: 'tableWrites', quantity: writes },
      { price: 'tableReads', quantity: reads },
    ],
  },
  {
    name: 'Logs',
    items: ({ logGigabytes, storedLogGigabytes }) => [
      { price: 'logIngestion', quantity: logGigabytes },
      { price: 'logStorage', quantity: storedLogGigabytes },
    ],
  },
  {
    name: 'Metrics',
    // A metric is billed for the hours with data, so an idle deployment pays for none.
    items: ({ requests }, { metrics, addresses }) => [
      { price: 'metrics', quantity: requests === 0 || metrics === 'none' ? 0 : countMetricSeries(addresses) },
    ],
  },
  {
    name: 'Alarms and dashboard',
    items: () => [
      { price: 'alarmMetrics', quantity: standingResources.alarmMetrics },
      { price: 'compositeAlarms', quantity: standingResources.compositeAlarms },
      { price: 'dashboards', quantity: standingResources.dashboards },
    ],
  },
  { name: 'Canary', items: canaryItems },
  { name: 'Secrets', items: () => [{ price: 'secrets', quantity: standingResources.secrets }] },
];

export interface BillLine {
  readonly name: string;
  readonly usd: number;
}

const priceItems = (items: readonly Item[], free: boolean): number =>
  items.reduce((total, { price, quantity }) => total + priceOf(price, quantity, free), 0);

/**
 * @param free subtracts what every account has without charge
 * @param volume measured instead of derived from the workload
 * @returns one line per component, in US dollars
 */
export const billOf = (workload: Workload, free = false, volume = volumeOf(workload)): readonly BillLine[] =>
  components.map(({ name, items }) => ({ name, usd: priceItems(items(volume, workload), free) }));

/** @returns US dollars per month, without guards and without rows of the official API */
export const totalOf = (workload: Workload, free = false): number =>
  billOf(workload, free).reduce((total, { usd }) => total + usd, 0);

export interface PricedSetting {
  readonly setting: string;
  readonly what: string;
  readonly items: (volume: Volume) => readonly Item[];
}

/** One object each five minutes. */
const ACCESS_LOG_OBJECTS = SECONDS_PER_MONTH / 300;

const ACCESS_LOG_EXAMPLE_DAYS = 30;

/** The settings that cost something. Guards that only limit something do not. */
export const pricedSettings: readonly PricedSetting[] = [
  {
    setting: 'wafRateLimit',
    what: 'a web ACL with a rate rule, the rule groups of AWS, and the rule that blocks what they found',
    items: ({ requests }) => [
      { price: 'webAcls', quantity: 1 },
      { price: 'webAclRules', quantity: guards.webAcl.price.monthly.webAclRules },
      { price: 'webAclRequests', quantity: requests },
    ],
  },
  {
    setting: 'originShield',
    what: 'requests that CloudFront sends through the shield: at most all misses',
    items: ({ misses }) => [{ price: 'originShield', quantity: misses }],
  },
  {
    setting: `accessLogDays=${ACCESS_LOG_EXAMPLE_DAYS}`,
    what: 'storage of the compressed access log; its delivery to S3 is free',
    items: ({ requests }) => [
      {
        price: 'objectStorage',
        quantity: ((requests * ACCESS_LOG_BYTES) / 1e9) * ((ACCESS_LOG_EXAMPLE_DAYS * 86_400) / SECONDS_PER_MONTH),
      },
      { price: 'objectWrites', quantity: ACCESS_LOG_OBJECTS },
    ],
  },
  {
    setting: `canaryMinutes=${DEFAULT_CANARY_MINUTES}`,
    what: `a run of the checks each ${DEFAULT_CANARY_MINUTES} minutes, with the requests that it sends, and their alarm`,
    items: canaryItems,
  },
  { setting: 'dashboard', what: 'a dashboard', items: () => [{ price: 'dashboards', quantity: 1 }] },
  { setting: 'monthlyBudget', what: 'a budget with messages', items: () => [{ price: 'budgets', quantity: 1 }] },
];

/** @returns US dollars per month that the setting adds */
export const settingPrice = ({ items }: PricedSetting, workload: Workload): number =>
  priceItems(items(volumeOf(workload)), false);
