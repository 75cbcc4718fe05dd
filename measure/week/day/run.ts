// `npm run measure -- day`: simulates a day at a billion requests per month in virtual time and compares it with the page Costs
// and scaling. Exits with 1 if a bar is missed. `--sample 400` is faster, `--sample 20` is closer to the whole.
import { parseArgs } from 'node:util';
import { answerHelp } from '../../../infra/command/answer-help.ts';
import { volumeOf } from '../../../infra/docs/bill.ts';
import { DEFAULT_CACHE_TTL_SECONDS } from '../../../shared/contract/caching.ts';
import { MAX_BASE_URLS } from '../../../shared/contract/providers.ts';
import { environmentWith, publishMeasurement } from '../../write-measurement.ts';
import { replaceUndici } from '../virtual-undici.ts';
import {
  DAY_MILLISECONDS,
  LOCATIONS,
  peakRate,
  REQUESTS_PER_MONTH,
  SERVER_CALLS_PER_MINUTE,
  ZIPF_EXPONENT,
} from './day-assumptions.ts';
import { type DayReport, dayBars, dayTables, type HitRatioRow } from './day-report.ts';
import { hitRatioOf } from './hit-ratio.ts';

answerHelp();

replaceUndici();
const { simulateDay } = await import('./simulate-day.ts');

const { values } = parseArgs({
  options: { sample: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
});
const sample = Number(values.sample);
const seed = Number(values.seed);

const LONG_TTL_SECONDS = 3600;

const settings = [
  { locations: LOCATIONS, ttlSeconds: DEFAULT_CACHE_TTL_SECONDS },
  { locations: 1, ttlSeconds: DEFAULT_CACHE_TTL_SECONDS },
  { locations: LOCATIONS, ttlSeconds: LONG_TTL_SECONDS },
  { locations: 1, ttlSeconds: LONG_TTL_SECONDS },
];

const variants = [
  ...(['post', 'dayOldPost', 'monthOldPost'] as const).flatMap((post) =>
    settings.map((setting) => ({ ...setting, post, zipfExponent: ZIPF_EXPONENT })),
  ),
  ...[0.8, 1.2].map((zipfExponent) => ({
    locations: LOCATIONS,
    ttlSeconds: DEFAULT_CACHE_TTL_SECONDS,
    post: 'post' as const,
    zipfExponent,
  })),
];

const hitRatios: HitRatioRow[] = [];
for (const variant of variants) {
  const { zipfExponent, locations, ttlSeconds, post } = variant;
  const hits = await hitRatioOf({ ...variant, sample: 5 * sample, seed, milliseconds: DAY_MILLISECONDS });
  const shield = locations === 1 ? ', `originShield`' : '';
  const setting = `exponent ${zipfExponent}, \`cacheTtlSeconds\` ${ttlSeconds}${shield}`;
  hitRatios.push({ setting, post, ...hits });
  console.log(`hit ratio, ${post}, ${setting}: ${(hits.ratio * 100).toFixed(0)} %`);
}

const plannedHitRatio = hitRatios[0]?.ratio ?? 0;
const addresses = MAX_BASE_URLS;
// As an operator would plan it with the page Costs and scaling, from the hit ratio in the access log.
const { providerCalls } = volumeOf(REQUESTS_PER_MONTH, plannedHitRatio);
const needed = Math.ceil((peakRate(providerCalls) * 60) / SERVER_CALLS_PER_MINUTE);
const servers = Math.ceil(needed / addresses) * addresses;
const figures = await simulateDay({
  sample,
  seed,
  addresses,
  callsPerMinuteAndBaseUrl: (servers / addresses) * SERVER_CALLS_PER_MINUTE,
  report: (line) => console.log(line),
});
const report: DayReport = { figures, servers, addresses, hitRatios };
publishMeasurement('day', {
  command: `npm run measure -- day --sample ${sample}`,
  environment: environmentWith(`a sample of 1 in ${sample}`, `${figures.requests.toLocaleString('en-US')} requests`),
  bars: dayBars(report),
  tables: dayTables(report),
});
