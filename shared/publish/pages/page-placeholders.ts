// Lists the placeholders of documentation pages. README.md in this folder describes each of them.
import { documents } from '../../contract/documents.ts';
import { operations } from '../../contract/operations.ts';
import { BASE_URL_PLACEHOLDER } from '../../contract/placeholders.ts';
import { problems } from '../../contract/problem-rows.ts';
import { useCases } from '../../contract/use-cases.ts';
import { warningRows } from '../../contract/warnings.ts';
import { answers, formatRequests } from '../examples.ts';
import { formatBlock, formatSizes, problemBlock } from './answer-blocks.ts';
import { apiTables, errorSections } from './api-tables.ts';
import { errorCode, link, requireName, warningCode } from './markdown-blocks.ts';
import { exampleBlock, parameterTable, useCaseTable } from './use-case-blocks.ts';
import { defaultCacheControl, values } from './values.ts';

export interface PagePlaceholder {
  /** The arguments, separated by `|`; `?` marks an optional argument. */
  readonly parameters: readonly string[];
  /** Called with as many arguments as `parameters` allows. @throws an error that lists the names that exist */
  readonly toMarkdown: (...args: readonly string[]) => string;
}

const paths = { ...documents, ...operations };
const tables = { ...apiTables, formatSizes };

const useCase = (name: string) => requireName(useCases, name, 'use case');

const VARIABLE = /\{[a-z]+\}/;

const path = (name: string, value?: string): string => {
  const template = paths[requireName(paths, name, 'path')].path;
  if (value === undefined) return template;
  if (!VARIABLE.test(template)) throw new Error(`${template} has no variable`);
  return template.replace(VARIABLE, value);
};

const linkTo = (target: string, text?: string): string => {
  const [name = '', section] = target.split('#');
  return link(requireName(documents, name, 'document'), text, section);
};

export const pagePlaceholders = {
  base: { parameters: [], toMarkdown: () => BASE_URL_PLACEHOLDER },
  cacheControl: {
    parameters: ['CLASS'],
    toMarkdown: (name) => defaultCacheControl[requireName(defaultCacheControl, name, 'cache class')],
  },
  error: { parameters: ['CODE'], toMarkdown: (code) => errorCode(requireName(problems, code, 'problem code')) },
  example: { parameters: ['USE_CASE'], toMarkdown: (name) => exampleBlock(useCase(name)) },
  format: { parameters: ['NAME'], toMarkdown: (name) => formatBlock(requireName(formatRequests, name, 'format')) },
  link: { parameters: ['DOCUMENT#SECTION', 'TEXT?'], toMarkdown: linkTo },
  parameters: { parameters: ['USE_CASE'], toMarkdown: (name) => parameterTable(useCase(name)) },
  path: { parameters: ['NAME', 'VALUE?'], toMarkdown: path },
  problem: {
    parameters: ['CODE'],
    toMarkdown: (code) => problemBlock(requireName(answers.problems, code, 'recorded problem')),
  },
  sections: {
    parameters: ['NAME'],
    toMarkdown: (name) => errorSections[requireName(errorSections, name, 'list of sections')](),
  },
  table: { parameters: ['NAME'], toMarkdown: (name) => tables[requireName(tables, name, 'table')]() },
  useCase: { parameters: ['USE_CASE'], toMarkdown: (name) => useCaseTable(useCase(name)) },
  value: { parameters: ['NAME'], toMarkdown: (name) => values[requireName(values, name, 'value')] },
  warning: {
    parameters: ['CODE'],
    toMarkdown: (code) => warningCode(requireName(warningRows, code, 'warning code')),
  },
} as const satisfies Readonly<Record<string, PagePlaceholder>>;
