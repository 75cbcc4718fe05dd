// Writes the parts of a documentation page in Markdown: links to other pages, tables, code blocks and durations. Looks names
// from a page up in the tables of the contract.
import { type DocumentName, documents } from '../../contract/documents.ts';
import { ERRORS_PATH } from '../../contract/paths.ts';
import { BASE_URL_PLACEHOLDER as B } from '../../contract/placeholders.ts';
import type { WarningCode } from '../../contract/warnings.ts';

/** @param text @default the title of the document @param section the id of a heading of the document */
export const link = (name: DocumentName, text: string = documents[name].title, section?: string): string =>
  `[${text}](${B}${documents[name].path}${section === undefined ? '' : `#${section}`})`;

/** A link to the section of a problem code on the errors page. */
export const errorCode = (code: string): string => `[\`${code}\`](${B}${ERRORS_PATH}#${code})`;

export const warningCode = (code: WarningCode): string => link('formats', `\`${code}\``, 'warnings');

export const inlineCode = (text: string): string => `\`${text}\``;

export const codeList = (values: readonly unknown[]): string =>
  values.map((value) => inlineCode(String(value))).join(', ');

const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n');

export const codeBlock = (language: 'sh' | 'json' | 'markdown' | 'html', text: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\``;

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The largest unit that divides the duration: 90 seconds, 2 minutes. */
export const duration = (seconds: number): string => {
  const [size, unit] = UNITS.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second'];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/** The date of an RFC 3339 instant. */
export const day = (instant: string): string => instant.slice(0, 10);

export const isNameIn = <Name extends string>(rows: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(rows, name);

/** @param kind the kind of name, for the message @throws an error with all known names */
export const requireName = <Name extends string>(
  rows: Readonly<Record<Name, unknown>>,
  name: string,
  kind: string,
): Name => {
  if (isNameIn(rows, name)) return name;
  throw new Error(`there is no ${kind} "${name}"; known: ${Object.keys(rows).join(', ')}`);
};
