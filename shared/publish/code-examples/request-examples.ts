// Reads the requests of the curl commands on the pages. A curl command is the only description of a request, so the
// programs in other languages cannot contradict it.
import { BASE_URL_PLACEHOLDER } from '../../contract/placeholders.ts';
import { type Command, commandsOf, curlRequestOf } from './shell-commands.ts';

export interface RequestExample {
  readonly method: string;
  /** Path and query on the service. */
  readonly target: string;
  /** Without the `Accept` that curl adds by itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** The page expects a status of 400 or more. */
  readonly isError: boolean;
  /** The command prints the body and nothing else. */
  readonly printsBody: boolean;
}

/** The URL parser does not accept the placeholder. */
const STAND_IN = 'https://base-url.invalid';

const CURL_ACCEPT = '*/*';
const ERROR_STATUS = 400;

const OUTPUT_OPTIONS = /^(?:-[iIow]|--(?:include|head|output|write-out))$/;

const requestExampleOf = (command: Command): readonly RequestExample[] => {
  if (command.name !== 'curl') return [];
  const { method, url, headers, body } = curlRequestOf(command);
  if (!url.startsWith(`${STAND_IN}/`) || body !== undefined) return [];
  const { Accept, ...others } = headers;
  return [
    {
      method,
      target: url.slice(STAND_IN.length),
      headers: { ...(Accept !== undefined && Accept !== CURL_ACCEPT && { Accept }), ...others },
      isError: (command.expected?.status ?? 0) >= ERROR_STATUS,
      printsBody: !command.args.some((word) => OUTPUT_OPTIONS.test(word)),
    },
  ];
};

/** @returns the requests of a `sh` block that go to the service without a body, in order */
export const requestExamplesOf = (block: string): readonly RequestExample[] =>
  commandsOf(block.replaceAll(BASE_URL_PLACEHOLDER, STAND_IN)).flatMap(requestExampleOf);

/**
 * @returns the requests of a block that the other languages can show: one GET, or several without headers; none if a
 * command of the block does anything else than print the body of a GET
 */
export const programExamplesOf = (block: string): readonly RequestExample[] => {
  const requests = requestExamplesOf(block);
  const isComplete = requests.length === commandsOf(block.replaceAll(BASE_URL_PLACEHOLDER, STAND_IN)).length;
  const arePlain = requests.every(({ method, printsBody }) => method === 'GET' && printsBody);
  const haveHeaders = requests.some(({ headers }) => Object.keys(headers).length > 0);
  return isComplete && arePlain && (requests.length === 1 || !haveHeaders) ? requests : [];
};

/** Values that a reader must fill in first. */
const FILL_IN = /NEXT_CURSOR|ETAG|YOUR_KEY/;

/** A browser can send the request as it is: no key, no value to fill in. */
export const isRunnable = ({ method, target, headers }: RequestExample): boolean =>
  method === 'GET' &&
  !FILL_IN.test(target) &&
  Object.keys(headers).every((name) => name === 'Accept') &&
  !target.startsWith('//');
