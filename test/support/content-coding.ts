// Decodes bodies as a client does.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const decoders = new Map<string | undefined, (bytes: Buffer) => Buffer>([
  [undefined, (bytes) => bytes],
  ['br', (bytes) => brotliDecompressSync(bytes)],
  ['gzip', (bytes) => gunzipSync(bytes)],
]);

/** @param coding the Content-Encoding field */
export const decoded = (bytes: Buffer, coding: string | undefined): string => {
  const decode = decoders.get(coding);
  if (decode === undefined) throw new Error(`${coding} is not a coding of the service`);
  return bytes.length === 0 ? '' : decode(bytes).toString();
};
