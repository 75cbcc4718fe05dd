// Replaces the placeholders of a documentation page. A wrong placeholder throws an error with the file, the line and
// the names that exist, so that the build stops.
import { errorMessage } from '../../model/errors.ts';
import { requireName } from './names.ts';
import { type PagePlaceholder, pagePlaceholders } from './page-placeholders.ts';

const PLACEHOLDER = /\{\{(.*?)\}\}/g;
const NAME_AND_ARGUMENTS = /^(\S*)(?: (.*))?$/;

/** `{{link DOCUMENT#SECTION|TEXT?}}` */
export const usageOf = (name: string, { parameters }: PagePlaceholder): string =>
  parameters.length === 0 ? `{{${name}}}` : `{{${name} ${parameters.join('|')}}}`;

const expand = (content: string): string => {
  const [, given = '', list] = NAME_AND_ARGUMENTS.exec(content) ?? [];
  const name = requireName(pagePlaceholders, given, 'placeholder');
  const placeholder: PagePlaceholder = pagePlaceholders[name];
  const { parameters, toMarkdown } = placeholder;
  const args = list === undefined ? [] : list.split('|');
  const required = parameters.filter((parameter) => !parameter.endsWith('?')).length;
  if (args.length < required || args.length > parameters.length)
    throw new Error(`wrong number of arguments; the form is ${usageOf(name, placeholder)}`);
  return toMarkdown(...args);
};

const expandLine = (line: string): string => {
  if (line.replaceAll(PLACEHOLDER, '').includes('{{')) throw new Error('a placeholder does not end on its line');
  return line.replaceAll(PLACEHOLDER, (_, content: string) => expand(content));
};

/** @param file for the message of an error */
export const expandPlaceholders = (file: string, markdown: string): string =>
  markdown
    .split('\n')
    .map((line, index) => {
      try {
        return expandLine(line);
      } catch (error) {
        throw new Error(`${file}:${index + 1}: ${errorMessage(error)}\n${line}`);
      }
    })
    .join('\n');
