// Parses the settings that every function reads. The deployment and the functions use the same parsers, so a function
// that deploys also starts.
import { MAX_CACHE_TTL_SECONDS } from '../contract/caching.ts';

export interface SettingParser<T> {
  /** Follows the name of the setting in an error message. It never repeats the value, which can be a secret. */
  readonly rule: string;
  /** @returns undefined if the value is invalid */
  readonly parse: (text: string) => T | undefined;
}

/** The value is normalized and has no trailing slash, because paths are appended and header fields contain it. */
export const httpUrl: SettingParser<string> = {
  rule: 'must be an http(s) address without credentials, query and fragment',
  parse: (text) => {
    const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
    const isBare = url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(text);
    return isBare ? url.href.replace(/\/+$/, '') : undefined;
  },
};

export const wholeNumber = (isAllowed: (value: number) => boolean, rule: string): SettingParser<number> => ({
  rule,
  parse: (text) => (/^[0-9]{1,6}$/.test(text) && isAllowed(Number(text)) ? Number(text) : undefined),
});

export const cacheTtl: SettingParser<number> = wholeNumber(
  (seconds) => seconds <= MAX_CACHE_TTL_SECONDS,
  `must be a whole number of seconds from 0 to ${MAX_CACHE_TTL_SECONDS}`,
);

export const requestCacheMebibytes: SettingParser<number> = wholeNumber(
  (mebibytes) => mebibytes > 0,
  'must be a whole number of MiB from 1',
);

/** RFC 9116 section 2.5.3. Pages, Markdown and JSON contain it, so it has no quotation mark, bracket or parenthesis. */
export const CONTACT_PATTERN =
  /^(mailto:[\w.~!$&+,;=:/%-]+@[\w.-]+(\?[\w.~!$&+,;=:/?@%-]*)?|https:\/\/[\w.~!$&+,;=:/?@%#-]+)$/;

export const contactUri: SettingParser<string> = {
  rule: 'must be an address such as mailto:security@example.org or https://example.org/security',
  parse: (text) => (CONTACT_PATTERN.test(text) && URL.canParse(text) ? text : undefined),
};

/** Without the characters that are markup in Markdown or JSON. */
export const OPERATOR_NAME_PATTERN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&'-]{0,79}$/u;

export const operatorName: SettingParser<string> = {
  rule: "must be at most 80 letters, digits, spaces and .,&'- and begin with a letter or a digit",
  parse: (text) => (OPERATOR_NAME_PATTERN.test(text) ? text : undefined),
};

export const retentionDays: SettingParser<number> = wholeNumber(
  (days) => days > 0,
  'must be a whole number of days from 1',
);

const choice = <T extends string>(values: readonly T[]): SettingParser<T> => ({
  rule: `must be ${values.join(' or ')}`,
  parse: (text) => values.find((value) => value === text),
});

/** The choices of the operator about search engines, which may index nothing or all that the service shows of X. */
export const INDEXING = ['none', 'all'] as const;
export const indexing = choice(INDEXING);

/** The choices of the operator about the way of pictures and videos: from X to the browser, or through the service. */
export const PICTURES = ['direct', 'proxied'] as const;
export const pictures = choice(PICTURES);

/** The choices of the operator about translations: providers are asked for them, or not. */
export const TRANSLATION = ['on', 'off'] as const;
export const translation = choice(TRANSLATION);

/** The places where allowances are counted: the table, which all instances share, or the memory of the one process. */
export const COUNTER_STORES = ['dynamodb', 'memory'] as const;
export const counterStore = choice(COUNTER_STORES);

export const secretList: SettingParser<readonly [string, ...string[]]> = {
  rule: 'must be a secret, or several separated by commas',
  parse: (text) => {
    const [first, ...more] = text
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== '');
    return first === undefined ? undefined : [first, ...more];
  },
};
