// Serves MCP over standard input and output: a message a line. Messages are answered beside each other, each as soon as it
// can be. At the end of the input, those that were read are still answered.
import { rpcCodes, rpcError } from '../../../functions/mcp/json-rpc.ts';
import { MAX_MESSAGE_BYTES } from '../../../shared/contract/mcp.ts';
import { LINE_FEED } from '../list-file.ts';

/** Bounds the memory for a host that sends without an end. It reads on as soon as one is answered. */
const MAX_IN_FLIGHT = 50;

export interface LinePorts {
  readonly input: AsyncIterable<Buffer>;
  /** Resolves when the reader can take more. */
  readonly write: (line: string) => Promise<void>;
  /** @returns undefined: the message has no answer */
  readonly answer: (message: string) => Promise<string | undefined>;
}

const TOO_LONG = JSON.stringify(
  rpcError(null, rpcCodes.invalidRequest, `Invalid Request: the line has more than ${MAX_MESSAGE_BYTES} bytes`),
);

/** Yields the lines without their ends; undefined for a line that is too long, of which nothing is kept. */
async function* boundedLines(input: AsyncIterable<Buffer>): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    bytes += part.length;
    parts = bytes > MAX_MESSAGE_BYTES ? [] : [...parts, part];
  };
  const take = (): string | undefined => {
    const line = bytes > MAX_MESSAGE_BYTES ? undefined : Buffer.concat(parts).toString();
    [parts, bytes] = [[], 0];
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  yield take();
}

/** Resolves when the input has ended and every answer is written. Rejects if an answer cannot be written. */
export const serveLines = async ({ input, write, answer }: LinePorts): Promise<void> => {
  const inFlight = new Set<Promise<void>>();
  for await (const line of boundedLines(input)) {
    if (line?.trim() === '') continue;
    const answered = (async () => {
      const text = line === undefined ? TOO_LONG : await answer(line);
      if (text !== undefined) await write(`${text}\n`);
    })().finally(() => inFlight.delete(answered));
    inFlight.add(answered);
    if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
};
