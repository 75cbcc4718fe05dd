// Renders the environment variables as the section of README.md that `npm run readme` writes.
import { variableDescriptions } from '../../shared/settings/variable-descriptions.ts';
import { markdownTable, replaceSection } from '../build/generated-section.ts';

/** @throws if the README has no place for the variables */
export const withVariables = (readme: string): string => {
  const rows = Object.entries(variableDescriptions).map(([name, row]) => [`\`${name}\``, row.default, row.meaning]);
  const content = markdownTable(['Variable', 'Default', 'Meaning'], rows);
  return replaceSection(readme, { name: 'variables', script: 'readme', content });
};
