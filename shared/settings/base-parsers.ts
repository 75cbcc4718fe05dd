// What a setting's text may be: one grammar for the operator's settings and for the environment of the functions, so
// that what deploys also starts. Here are those of the settings that every function reads.
import { MAX_CACHE_TTL_SECONDS } from '../contract/caching.ts';

export interface SettingParser<T> {
  /** Follows the name of the setting in a complaint. Never repeats the value, which may hold a secret. */
  readonly rule: string;
  /** undefined: no such value. */
  readonly parse: (text: string) => T | undefined;
}

/** Without a trailing slash, spelled as it is sent: routes are appended, and it goes into header fields. */
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

/** RFC 9116 section 2.5.3: something that a person can be reached by. */
export const contactUri: SettingParser<string> = {
  rule: 'must be an address such as mailto:security@example.org or https://example.org/security',
  parse: (text) => (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text) ? text : undefined),
};
