// Checks that an oEmbed answer conforms to oEmbed 1.0 and has only the declared members.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { OembedBody } from '../../shared/model/resources.ts';

const ajv = new Ajv2020.default({ strict: false });
addFormats.default(ajv);
const isOembed = ajv.compile(
  JSON.parse(readFileSync(new URL('../fixtures/vectors/oembed.schema.json', import.meta.url), 'utf8')),
);

export const expectOembed = (document: unknown): OembedBody => {
  expect(isOembed(document), JSON.stringify(isOembed.errors)).toBe(true);
  return OembedBody.strict().parse(document);
};
