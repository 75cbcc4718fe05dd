// Renders the environment variables as the section of README.md that `npm run readme` writes.

import { table } from '../../shared/publish/pages/markdown-blocks.ts';
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import { replaceSection } from '../build/generated-section.ts';

/** @throws if the README has no place for the variables */
export const withVariables = (readme: string): string => {
  const rows = Object.entries(variableDescriptions).map(([name, row]) => [`\`${name}\``, row.default, row.meaning]);
  const content = table(['Variable', 'Default', 'Meaning'], rows);
  return replaceSection(readme, { name: 'variables', script: 'readme', content });
};
