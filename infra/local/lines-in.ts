import { createReadStream } from 'node:fs';

export const LINE_FEED = 0x0a;

/** Yields the lines with their line ends. The last one can be without. Memory: one line. */
export async function* linesIn(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const value of createReadStream(file)) {
    const chunk: Buffer = value;
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
