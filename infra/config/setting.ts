// Builds the schemas of settings. A schema accepts a value as postern.config.json has it, in its natural type, and the
// same value as text of the command line. The JSON Schema of the file is generated from the same schemas.
import * as z from 'zod';
import { type PriceName, prices } from '../../shared/contract/prices.ts';
import {
  MAX_WITHHELD,
  parseWithheld,
  parseWithheldText,
  WITHHELD_REASONS,
  type WithheldEntry,
} from '../../shared/model/withheld.ts';
import type { SettingParser } from '../../shared/settings/base-parsers.ts';
import { handle, postId } from '../../shared/settings/feature-parsers.ts';

/** An error that the operator can correct: it is printed as its message, without a stack trace. */
export class SetupError extends Error {}

/** A setting of the operator. The description and the price are for the JSON Schema and the documentation. */
export interface SettingRow<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Follows the name in an error message. It never repeats the value, which can be a secret. */
  readonly rule: string;
  /** One sentence. */
  readonly meaning: string;
  /** One sentence, if the setting costs more than the service without it. List prices of us-east-1 in US dollars. */
  readonly price?: string;
}

const usd = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 10,
  trailingZeroDisplay: 'stripIfInteger',
});

/** Formats US dollars with cents, or without if there are none. */
export const dollars = (amount: number): string => usd.format(amount);

/** The list prices together, each for one unit of its price in the first tier: `$0.40` for a secret and month. */
export const listPrice = (...names: readonly PriceName[]): string =>
  dollars(names.reduce((sum, name) => sum + (prices[name].tiers[0]?.[1] ?? 0), 0));

/** Converts text of the command line to the natural type. Text that does not fit is left for the schema to reject. */
const fromText =
  (convert: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === 'string' ? convert(value) : value;

/** A number is text in some files, as in `canaryPost: 20`. A number that is not safe has lost digits. */
const asText = (value: unknown): unknown => (Number.isSafeInteger(value) ? String(value) : value);

const naturalNumber = (text: string): unknown => (/^[0-9]{1,6}$/.test(text) ? Number(text) : text);

export const wholeNumber = (least = 0, most = 999_999) =>
  z.preprocess(fromText(naturalNumber), z.int().min(least).max(most));

/** 0 turns the feature off. */
export const zeroOrFrom = (least: number) =>
  z.preprocess(fromText(naturalNumber), z.union([z.literal(0), z.int().min(least).max(999_999)]));

/** One of a few numbers. */
export const oneOfNumbers = (numbers: readonly number[]) =>
  z.preprocess(fromText(naturalNumber), z.literal([...numbers]));

export const toggle = () =>
  z.preprocess(
    fromText((text) => (text === 'true' || text === 'false' ? text === 'true' : text)),
    z.boolean(),
  );

export const matching = (pattern: RegExp) => z.string().regex(pattern);

/**
 * Validates text with the parser that the functions use.
 *
 * @param pattern what a JSON Schema can say of the text: at most what the parser accepts, or more
 */
export const parsed = <T>({ parse, rule }: SettingParser<T>, pattern: RegExp) =>
  z.preprocess(
    asText,
    z
      .string()
      .regex(pattern)
      .transform((text, context): T => {
        const value = parse(text);
        if (value !== undefined) return value;
        context.addIssue({ code: 'custom', message: rule });
        return z.NEVER;
      }),
  );

/** Text of the command line is separated by commas; a file has an array. */
export const separated = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    fromText((text) => text.split(',').map((entry) => entry.trim())),
    z.array(item).min(1).meta({ uniqueItems: true }),
  );

/** Posts and accounts that are withheld. An error names the entry: nothing in it is secret. */
export const withheldList = () => {
  const entry = (name: string, description: string) => ({
    type: 'object',
    properties: {
      [name]: { type: 'string', description },
      reason: { enum: WITHHELD_REASONS },
      until: { type: 'string', description: 'A day, which ends the entry at 00:00 UTC, or an instant.' },
    },
    required: [name, 'reason'],
    additionalProperties: false,
  });
  const entries = [
    entry('post', 'Link or id.'),
    entry('profile', 'Handle, or id: and the id of the account, which stays if the handle changes.'),
  ];
  return z
    .unknown()
    .meta({ type: 'array', maxItems: MAX_WITHHELD, items: { oneOf: entries } })
    .optional()
    .transform((value, context): readonly WithheldEntry[] => {
      const list = typeof value === 'string' ? parseWithheldText(value) : parseWithheld(value ?? []);
      if (!('problem' in list)) return list;
      context.addIssue({
        code: 'custom',
        message: `: ${list.problem}`,
        ...(list.index !== undefined && { path: [list.index] }),
      });
      return z.NEVER;
    });
};

export const HTTP_URL_PATTERN = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^?#]+$/;

export const postIdText = () => parsed(postId, /^[0-9]{1,19}$/);

export const handleText = () => parsed(handle, /^@?[A-Za-z0-9_]{1,15}$/);
