// Validates problem documents against a schema that the service does not use.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);

/** Validates a problem document as RFC 9457 with the members of the service; `errors` names the differences. */
export const isProblem = ajv.compile(
  JSON.parse(readFileSync(new URL('../fixtures/vectors/problem.schema.json', import.meta.url), 'utf8')),
);
