// Writes the metrics that one minute of traffic causes: those of CloudFront, API Gateway and Lambda, and those in the log
// lines of the functions.
import { extractMetrics, type MetricStore } from './metric-store.ts';
import type { Line, Recorded } from './recorded-lines.ts';

/** The status that CloudFront gets or makes if no function answers. Only a crash is an invocation. */
const fates = { crash: 500, throttle: 503, uninvoked: 500, unrouted: 404, forbidden: 403, unconnected: 502 } as const;

/** Equal requests of one minute. */
export interface Traffic {
  readonly request: Recorded;
  readonly perMinute: number;
  /**
   * `crash`: the function ends without an answer and without lines. `throttle`: Lambda does not start the function.
   * `uninvoked`, `unrouted`, `forbidden`: API Gateway or the function URL answers by itself. `unconnected`: CloudFront
   * does, because it does not reach them.
   */
  readonly fate?: keyof typeof fates;
  /** The cache of CloudFront answers. */
  readonly isCached?: boolean;
  /** The request goes to the HTTP API directly. */
  readonly isDirect?: boolean;
  /** Replaces the duration of the invocation. */
  readonly milliseconds?: number;
  /** All of them come at once, in the minutes that this number divides. @default 1 */
  readonly everyMinutes?: number;
}

/** Lines without a request, such as those of providers and stores. */
export interface LoggedLines {
  readonly lines: readonly Line[];
  readonly perMinute: number;
  /** As in Traffic. @default 1 */
  readonly everyMinutes?: number;
}

export interface Minute {
  readonly traffic: readonly Traffic[];
  readonly logged?: readonly LoggedLines[];
}

/** The metrics of AWS with the names of a template. */
export interface Deployment {
  readonly namespace: string;
  readonly apiId: string;
  readonly distributionId: string;
  /** The name of the function of a surface. */
  functionName(surface: string): string;
}

const statusOf = ({ request, fate }: Traffic): number => (fate === undefined ? request.status : fates[fate]);

export const createWriter = (store: MetricStore, deployment: Deployment) => {
  const { namespace, apiId, distributionId, functionName } = deployment;

  const writeLine = (line: Line, minute: number, count: number): void => {
    extractMetrics(store, line, minute, count);
    // The metric filter of the stack.
    if (line['event'] === 'request' && line['status'] === 501)
      store.put(namespace, 'not-implemented', {}, minute, 1, count);
  };

  const writeFunction = ({ request, perMinute, fate, milliseconds }: Traffic, minute: number): void => {
    const dimensions = { FunctionName: functionName(request.surface) };
    const put = (name: string, value: number): void =>
      store.put('AWS/Lambda', name, dimensions, minute, value, perMinute);
    if (fate === 'throttle') put('Throttles', 1);
    if (fate !== undefined && fate !== 'crash') return;
    put('Throttles', 0);
    put('Invocations', 1);
    put('Errors', fate === 'crash' ? 1 : 0);
    if (fate === 'crash') return;
    const [{ duration_ms: recorded } = {}] = request.lines.filter(({ event }) => event === 'request');
    put('Duration', milliseconds ?? Number(recorded ?? 0));
    for (const line of request.lines) writeLine(line, minute, perMinute);
  };

  const writeGateway = (traffic: Traffic, minute: number): void => {
    const { request, perMinute, fate } = traffic;
    if (fate === 'unconnected') return;
    const status = statusOf(traffic);
    const failed = status >= 500 ? 1 : 0;
    if (request.surface === 'mcp') {
      const dimensions = { FunctionName: functionName('mcp') };
      store.put('AWS/Lambda', 'UrlRequestCount', dimensions, minute, 1, perMinute);
      store.put('AWS/Lambda', 'Url5xxCount', dimensions, minute, failed, perMinute);
      return;
    }
    store.put('AWS/ApiGateway', 'Count', { ApiId: apiId }, minute, 1, perMinute);
    store.put('AWS/ApiGateway', '4xx', { ApiId: apiId }, minute, status >= 400 && status < 500 ? 1 : 0, perMinute);
    store.put('AWS/ApiGateway', '5xx', { ApiId: apiId }, minute, failed, perMinute);
  };

  /** CloudFront writes one sample of each rate per minute, in percent. */
  const writeEdge = (traffic: readonly Traffic[], minute: number): void => {
    const viewers = traffic.filter(({ isDirect }) => !isDirect);
    const sum = (rows: readonly Traffic[]): number => rows.reduce((total, { perMinute }) => total + perMinute, 0);
    const requests = sum(viewers);
    if (requests === 0) return;
    const rate = (least: number): number => {
      const counted = viewers.filter(({ isCached }) => !isCached);
      return (100 * sum(counted.filter((row) => Math.floor(statusOf(row) / 100) === least))) / requests;
    };
    const dimensions = { DistributionId: distributionId, Region: 'Global' };
    store.put('AWS/CloudFront', 'Requests', dimensions, minute, requests);
    store.put('AWS/CloudFront', '4xxErrorRate', dimensions, minute, rate(4));
    store.put('AWS/CloudFront', '5xxErrorRate', dimensions, minute, rate(5));
  };

  return (minute: number, { traffic, logged = [] }: Minute): void => {
    const isNow = ({ everyMinutes = 1 }: Traffic | LoggedLines): boolean => minute % everyMinutes === 0;
    const present = traffic.filter((row) => row.perMinute > 0 && isNow(row));
    writeEdge(present, minute);
    for (const row of present.filter(({ isCached }) => !isCached)) {
      writeGateway(row, minute);
      writeFunction(row, minute);
    }
    for (const { lines, perMinute } of logged.filter(isNow))
      for (const line of lines) writeLine(line, minute, perMinute);
  };
};
