// Parses the settings that some functions read.
import { isProviderName, type ProviderName, providerNames } from '../contract/providers.ts';
import { parseHandle, parseId } from '../model/handle.ts';
import type { Operator } from '../ports/stores.ts';
import { type SettingParser, wholeNumber } from './base-parsers.ts';

export const providerNameList: SettingParser<readonly ProviderName[]> = {
  rule: `must be a comma-separated list, in order of preference, of ${providerNames.join(', ')}`,
  parse: (text) => {
    const names = text.split(',').map((name) => name.trim());
    const known = names.filter(isProviderName);
    return known.length < names.length || new Set(known).size < known.length ? undefined : known;
  },
};

export const paidRowCeiling: SettingParser<number> = wholeNumber(
  () => true,
  'must be a whole number of rows up to 999999, or 0 for no limit',
);

export const handle: SettingParser<string> = { rule: 'must be a handle', parse: parseHandle };

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

/** RFC 6750 section 2.1. */
export const bearerToken: SettingParser<string> = {
  rule: 'must be a token of letters, digits and -._~+/%=',
  parse: (text) => (/^[A-Za-z0-9\-._~+/%]+=*$/.test(text) ? text : undefined),
};

export const postId: SettingParser<string> = { rule: 'must be the id of a post', parse: parseId };

const OPERATOR = /^([A-Za-z0-9._-]{1,40})=([0-9a-f]{64})$/;

export const operatorList: SettingParser<readonly Operator[]> = {
  rule: 'must be NAME=SHA-256 of a token in lower-case hexadecimal, or several with different names separated by commas',
  parse: (text) => {
    const operators = text.split(',').flatMap((entry): readonly Operator[] => {
      const [, name, tokenHash] = OPERATOR.exec(entry.trim()) ?? [];
      return name === undefined || tokenHash === undefined ? [] : [{ name, tokenHash }];
    });
    const names = new Set(operators.map(({ name }) => name));
    return operators.length === text.split(',').length && names.size === operators.length ? operators : undefined;
  },
};
