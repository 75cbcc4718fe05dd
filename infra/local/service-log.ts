// Writes the log of `npm start`: JSON lines as on AWS or, on a terminal, one short line for each request.
import { asRecord, parseJson } from '../../shared/model/json.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import type { RequestFacts } from './request-facts.ts';

export interface ServedRequest {
  readonly method: string;
  /** Without the query, which can have a secret. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Set if the shared cache had the answer. */
  readonly cached: RequestFacts | undefined;
}

export interface ServiceLog {
  /** Receives the log of the functions with its line ends. */
  readonly writeLog: (text: string) => void;
  /** Also receives the requests that no function answers. */
  readonly reportRequest?: (request: ServedRequest) => void;
}

const requestText = ({ method, path, status, milliseconds, cached }: ServedRequest): string =>
  `${method} ${visibleLine(path)} ${status} ${Math.round(milliseconds)} ms${cached ? ' cached' : ''}`;

/** People need no ids to find a line again. */
const IDS = /^(?:[a-z]+_)*request_id$/;

/** @returns undefined for what a person at a terminal does not need: requests have their own lines, but for failed calls */
const messageText = (line: string): string | undefined => {
  const fields = asRecord(parseJson(line));
  if (fields === undefined) return line;
  const { timestamp, level, event, calls, ...rest } = fields;
  if (level === 'info') return undefined;
  if (event === 'request') return calls === undefined ? undefined : visibleLine(`${level} calls: ${calls}`);
  const facts = Object.entries({ ...rest, calls }).flatMap(([name, value]) =>
    IDS.test(name) || value === null || value === undefined || typeof value === 'object' ? [] : [`${name}=${value}`],
  );
  return visibleLine([level, event, ...facts].join(' '));
};

/** @param write receives text with its line ends */
export const createServiceLog = (isTerminal: boolean, write: (text: string) => void): ServiceLog =>
  isTerminal
    ? {
        writeLog(text) {
          for (const line of text.split('\n')) {
            const message = line === '' ? undefined : messageText(line);
            if (message !== undefined) write(`${message}\n`);
          }
        },
        reportRequest: (request) => write(`${requestText(request)}\n`),
      }
    : {
        writeLog: write,
        // The functions write the lines of the requests that they answer.
        reportRequest({ method, status, milliseconds, cached }) {
          if (cached === undefined) return;
          const duration = Math.round(milliseconds);
          const fields = { event: 'request', cache: 'edge', ...cached, method, status, duration_ms: duration };
          write(`${JSON.stringify({ level: 'info', ...fields })}\n`);
        },
      };
