// Renders the environment variables as the section of docs/local-service.md that `npm run update -- readme` writes.
import { variablesTable } from '../../shared/publish/pages/operator-tables.ts';
import { replaceSection } from '../build/generated-section.ts';

/** @throws if the document has no place for the variables */
export const withVariables = (document: string): string =>
  replaceSection(document, { name: 'variables', script: 'readme', content: variablesTable() });
