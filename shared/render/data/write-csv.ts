// Writes tables as CSV (RFC 4180). Texts are in quotation marks, so that spreadsheets that also separate at tabs or semicolons
// keep them whole, and so that an import can take the quoted cells as texts. Numbers and truth values are not.
//
// Spreadsheets compute a cell that begins like a formula, and the texts are of strangers. Such a cell gets an apostrophe.

/** Null and undefined are an empty cell. An object is written as JSON. */
export type CsvValue = string | number | boolean | object | null | undefined;

export interface CsvColumn<Item> {
  readonly name: string;
  valueIn(item: Item): CsvValue;
}

/**
 * Begins like a formula: with =, +, -, @ or their full-width forms, or with a tab or a line end, which a spreadsheet can remove.
 * LibreOffice also removes NUL, and spaces if the import is told to; the apostrophes let a reader tell which one was added.
 */
const FORMULA = /^(?:'*[\t\r\n]|[\s'\0-\x1f\x7f-\x9f]*[=+\-@＝＋－＠])/;

/** @returns a text that no spreadsheet computes. A reader removes the apostrophe that stands before such a text */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const cell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${withoutFormula(text).replaceAll('"', '""')}"`;
};

const record = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** @returns the record with the names, which need no quotation marks */
export const csvHeader = (columns: readonly Pick<CsvColumn<never>, 'name'>[]): string =>
  record(columns.map(({ name }) => name));

/** @returns a record for each item, without the header */
export const csvRecords = <Item>(columns: readonly CsvColumn<Item>[], items: readonly Item[]): string =>
  items.map((item) => record(columns.map((column) => cell(column.valueIn(item))))).join('');

/** @returns the header, and a record for each item */
export const csvText = <Item>(columns: readonly CsvColumn<Item>[], items: readonly Item[]): string =>
  csvHeader(columns) + csvRecords(columns, items);
