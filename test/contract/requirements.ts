// Reads docs/requirements.md, which lists the promises of the service: one line per requirement, such as
// `- **keys 3**: …`. Tests cite a requirement in brackets at the start of a title: `[keys 3]`.
import { readFileSync } from 'node:fs';

/** Matches a requirement: its chapter, its number and its sentence. */
const REQUIREMENT = /^- \*\*([a-z-]+ \d+)\*\*: (.+)$/gm;

/** The text of docs/requirements.md. */
export const requirementsDocument: string = readFileSync(
  new URL('../../docs/requirements.md', import.meta.url),
  'utf8',
);

/** Each requirement by its name, in the order of the document. */
export const requirements: ReadonlyMap<string, string> = new Map(
  [...requirementsDocument.matchAll(REQUIREMENT)].map(([, name = '', sentence = '']) => [name, sentence]),
);
