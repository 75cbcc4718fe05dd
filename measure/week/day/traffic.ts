// Generates the requests of a day: sessions of callers, with the popularity of subjects and the rate over the day.
import { readKinds } from '../../../infra/docs/bill.ts';
import { keysOf } from '../../../shared/model/json.ts';
import { newApiKey } from '../../../test/support/access-control.ts';
import type { VirtualTime } from '../virtual-time.ts';
import {
  type CallerKind,
  callerKinds,
  DAY_MILLISECONDS,
  DAY_START,
  DAYS_PER_MONTH,
  diurnalFactor,
  REQUESTS_PER_MONTH,
  SUBJECTS,
  spike,
} from './day-assumptions.ts';

export type RequestKind = keyof typeof SUBJECTS;

export interface Visitor {
  readonly ip: string;
  /** The field Authorization of a caller with an API key. */
  readonly authorization?: string;
}

export interface SimulatedRequest {
  readonly kind: RequestKind;
  readonly subject: number;
  readonly location: number;
  readonly caller: CallerKind;
  /** Identifies the caller among those of this kind. */
  readonly callerNumber: number;
  readonly visitor: Visitor;
}

export interface TrafficOptions {
  readonly time: VirtualTime;
  readonly random: () => number;
  /** One of this number of callers and of subjects is simulated. */
  readonly sample: number;
  /** The exponent of the popularity. */
  readonly zipfExponent: number;
  readonly locations: number;
  readonly keys: readonly string[];
  readonly request: (request: SimulatedRequest) => void;
}

const DAY_REQUESTS = REQUESTS_PER_MONTH / DAYS_PER_MONTH;
const MINUTE = 60_000;

/** @returns a rank from 1: the inverse of the integral of the Zipf density */
const zipfRank = (count: number, exponent: number, random: () => number): number => {
  const top = count + 0.5;
  const bottom = 0.5;
  const power = 1 - exponent;
  const share = random();
  const rank =
    power === 0
      ? bottom * (top / bottom) ** share
      : (bottom ** power + share * (top ** power - bottom ** power)) ** (1 / power);
  return Math.max(1, Math.round(rank));
};

/**
 * Every subject stands for `sample` neighbours in rank and gets the mean of their rates, as it has `1 / sample` of all
 * requests: so the rate per subject, and with it the hit ratio, is the one of the whole service.
 */
const sampledSubject = (kind: RequestKind, { sample, zipfExponent, random }: TrafficOptions): number =>
  Math.floor((zipfRank(SUBJECTS[kind], zipfExponent, random) - 1) / sample);

const kinds = keysOf(SUBJECTS);

const pickKind = (among: readonly RequestKind[], random: () => number): RequestKind => {
  let left = random() * among.reduce((sum, kind) => sum + readKinds[kind].share, 0);
  return (
    among.find((kind) => {
      left -= readKinds[kind].share;
      return left < 0;
    }) ?? 'post'
  );
};

/** API keys count only for these. */
const KEYED_KINDS: readonly RequestKind[] = ['list', 'search', 'tool'];

const NEWS_SUBJECT = SUBJECTS.post + 1;

/** Geometric, at least 1. */
const sessionLength = (mean: number, random: () => number): number =>
  1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / mean));

const isSpike = (millisecondOfDay: number): boolean => millisecondOfDay >= spike.from && millisecondOfDay < spike.until;

const ipOf = (kind: CallerKind, number: number): string =>
  `${10 + Object.keys(callerKinds).indexOf(kind)}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

export const populationOf = (kind: CallerKind, sample: number): number =>
  Math.max(1, Math.round(callerKinds[kind].population / sample));

/** @returns keys for all callers who have one */
export const createKeys = (sample: number): readonly string[] =>
  Array.from({ length: populationOf('keyed', sample) + populationOf('greedyKeyed', sample) }, newApiKey);

export const scheduleTraffic = (options: TrafficOptions): void => {
  const { time, random, sample, locations, keys, request } = options;

  const visitorOf = (kind: CallerKind, number: number): Visitor => {
    const offset = kind === 'greedyKeyed' ? populationOf('keyed', sample) : 0;
    const secret = callerKinds[kind].isKeyed ? keys[number + offset] : undefined;
    const ip = ipOf(kind, number);
    return secret === undefined ? { ip } : { ip, authorization: `Bearer ${secret}` };
  };

  const startSession = (kind: CallerKind): void => {
    const { sessionLength: mean, pauseMilliseconds, isKeyed } = callerKinds[kind];
    const callerNumber = Math.floor(random() * populationOf(kind, sample));
    const visitor = visitorOf(kind, callerNumber);
    const location = Math.floor(random() * locations);
    let left = sessionLength(mean, random);
    const step = (): void => {
      const isNews = kind === 'people' && isSpike(time.now() - DAY_START) && random() < spike.shareOfOnePost;
      const readKind = isNews ? 'post' : pickKind(isKeyed ? KEYED_KINDS : kinds, random);
      const subject = isNews ? NEWS_SUBJECT : sampledSubject(readKind, options);
      left -= 1;
      if (left > 0) time.after(-Math.log(1 - random()) * pauseMilliseconds, step);
      request({ kind: readKind, subject, location, caller: kind, callerNumber, visitor });
    };
    time.after(random() * MINUTE, step);
  };

  const startMinute = (minute: number): void => {
    const millisecondOfDay = minute * MINUTE;
    for (const kind of keysOf(callerKinds)) {
      const { share, sessionLength: mean } = callerKinds[kind];
      const factor =
        diurnalFactor(millisecondOfDay) * (kind === 'people' && isSpike(millisecondOfDay) ? spike.factor : 1);
      const expected = ((DAY_REQUESTS / sample / 1440) * share * factor) / mean;
      // Bernoulli for the fraction keeps the mean exact.
      const sessions = Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
      for (let index = 0; index < sessions; index += 1) startSession(kind);
    }
  };

  for (let minute = 0; minute * MINUTE < DAY_MILLISECONDS; minute += 1) {
    time.after(minute * MINUTE, () => startMinute(minute));
  }
};
