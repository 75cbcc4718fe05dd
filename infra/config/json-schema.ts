// Writes the JSON Schema of postern.config.json, with which editors complete and check the file.
import * as z from 'zod';
import { fileSchema } from './settings.ts';

/** @returns a schema of JSON Schema 2020-12, as text. It cannot express the rules between settings. */
export const configJsonSchema = (): string => {
  const { properties, ...rest } = z.toJSONSchema(fileSchema, { io: 'input' });
  const schema = {
    ...rest,
    title: 'Settings of Postern',
    description: 'The form of postern.config.json. Every setting has a default.',
    properties: { $schema: { type: 'string', description: 'This schema, for editors.' }, ...properties },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
};
