// Renders the environment variables as the section of README.md that `npm run update -- readme` writes.
import { variablesTable } from '../../shared/publish/pages/operator-tables.ts';
import { replaceSection } from '../build/generated-section.ts';

/** @throws if the README has no place for the variables */
export const withVariables = (readme: string): string =>
  replaceSection(readme, { name: 'variables', script: 'readme', content: variablesTable() });
