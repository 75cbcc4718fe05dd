// Bodies as a client reads them.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const decoders = new Map<string | undefined, (bytes: Buffer) => Buffer>([
  [undefined, (bytes) => bytes],
  ['br', (bytes) => brotliDecompressSync(bytes)],
  ['gzip', (bytes) => gunzipSync(bytes)],
]);

/** @param coding the Content-Encoding field */
export const decoded = (bytes: Buffer, coding: string | undefined): string => {
  const decode = decoders.get(coding);
  if (decode === undefined) throw new Error(`${coding} is no coding of ours`);
  return bytes.length === 0 ? '' : decode(bytes).toString();
};
