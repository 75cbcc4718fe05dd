// Writes the files of the client that are made from the description. They are not in the repository: `npm ci` and the build of
// the client write them.
import { writeFileSync } from 'node:fs';
import { readDescription } from './description.ts';
import { methodTable, methodTypes } from './methods.ts';
import { openapiTypes } from './openapi-types.ts';

/** Writes openapi.ts, methods.ts and method-rows.ts of client/src. */
export const generate = async (): Promise<void> => {
  const description = readDescription();
  const write = (file: string, text: string): void => writeFileSync(new URL(`../src/${file}`, import.meta.url), text);
  write('methods.ts', methodTypes(description));
  write('method-rows.ts', methodTable(description));
  write('openapi.ts', await openapiTypes(description));
};
