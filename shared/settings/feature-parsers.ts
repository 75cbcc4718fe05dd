// Parses the settings that some functions read.
import {
  isProviderName,
  MAX_BASE_URLS,
  type ProviderName,
  type ProviderRow,
  providerNames,
  providerRow,
} from '../contract/providers.ts';
import { parseHandle, parseId } from '../model/handle.ts';
import type { Operator } from '../ports/stores.ts';
import { httpUrl, type SettingParser, wholeNumber } from './base-parsers.ts';

// The base URLs of a provider: `https://one.example,https://two.example`. The deployment and the functions use the same parser.

/** An entry has a weight in settings of earlier releases. */
const ENTRY = /^([^;]*)(;\s*weight=[0-9]+)?$/;

const parseList = (text: string): readonly string[] | undefined => {
  const entries = text.split(',');
  const baseUrls = entries.flatMap((entry) => httpUrl.parse(ENTRY.exec(entry.trim())?.[1]?.trim() ?? '') ?? []);
  return entries.length <= MAX_BASE_URLS && new Set(baseUrls).size === entries.length ? baseUrls : undefined;
};

/** A token goes to every base URL, so a provider with one has only one. */
const one: SettingParser<readonly string[]> = {
  rule: httpUrl.rule,
  parse: (text) => {
    // A list would parse as the URL of a host with a comma.
    const baseUrl = text.includes(',') ? undefined : httpUrl.parse(text);
    return baseUrl === undefined ? undefined : [baseUrl];
  },
};

const several: SettingParser<readonly string[]> = {
  rule: `${httpUrl.rule}, or up to ${MAX_BASE_URLS} different ones separated by commas. There is no rate: a base URL that answers 429 is not called until its Retry-After`,
  parse: parseList,
};

export const baseUrlsOf = (name: ProviderName): SettingParser<readonly string[]> =>
  providerRow(name).secret === undefined ? several : one;

/** The text that parses to these base URLs. */
export const formatBaseUrls = (baseUrls: readonly string[]): string => baseUrls.join(',');

/** @param nameOf how the operator names the base URLs of a provider @returns warnings about weights, which are read and ignored */
export const weightWarnings = (
  values: Readonly<Record<string, unknown>>,
  nameOf: (row: ProviderRow) => string,
): readonly string[] =>
  providerNames.flatMap((provider) => {
    const name = nameOf(providerRow(provider));
    const value = values[name];
    const entries = typeof value === 'string' ? value.split(',') : [];
    const hasWeight = entries.some((entry) => ENTRY.exec(entry.trim())?.[2] !== undefined);
    return hasWeight ? [`${name}: weights of base URLs are ignored, because all get an equal share of the reads`] : [];
  });

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
