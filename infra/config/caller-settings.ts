// The settings of what callers get: cache, allowances, and who may sign in to the dashboard.
import {
  ALLOWANCE_SYNTAX,
  type Allowance,
  type AllowanceSetting,
  allowanceSettings,
  parseAllowance,
} from '../../shared/contract/allowances.ts';
import { DEFAULT_CACHE_TTL_SECONDS, MAX_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import { cacheTtl, type SettingParser } from '../../shared/settings/base-parsers.ts';
import { operatorList } from '../../shared/settings/feature-parsers.ts';
import { matching, parsed, type SettingRow, separated, wholeNumber } from './setting.ts';

const allowance: SettingParser<Allowance> = { rule: ALLOWANCE_SYNTAX, parse: parseAllowance };

const allowanceText = () => parsed(allowance, /^[1-9][0-9]*\/[1-9][0-9]*(,[1-9][0-9]*\/[1-9][0-9]*)?$/);

const allowanceRow = ({ preset }: AllowanceSetting, meaning: string) =>
  ({
    schema: allowanceText().prefault(preset),
    rule: ALLOWANCE_SYNTAX,
    meaning,
  }) satisfies SettingRow;

const { searchAnonymous, searchKeyed, browse, searchPool } = allowanceSettings;

export const callerSettings = {
  cacheTtlSeconds: {
    schema: wholeNumber(0, MAX_CACHE_TTL_SECONDS).prefault(DEFAULT_CACHE_TTL_SECONDS),
    rule: cacheTtl.rule,
    meaning: `Seconds for which shared caches keep a new post; 0 turns caching off. Below ${DEFAULT_CACHE_TTL_SECONDS}, it also bounds old posts.`,
  },
  [searchAnonymous.setting]: allowanceRow(searchAnonymous, 'Searches of one caller without an API key.'),
  [searchKeyed.setting]: allowanceRow(searchKeyed, 'Searches with an API key that has no allowance of its own.'),
  [browse.setting]: allowanceRow(browse, 'Profiles and lists, with or without an API key.'),
  [searchPool.setting]: {
    schema: allowanceText().optional(),
    rule: ALLOWANCE_SYNTAX,
    meaning: 'Searches of all callers without an API key together.',
  },
  adminTokenHashes: {
    schema: separated(matching(/^[A-Za-z0-9._-]{1,40}=[0-9a-f]{64}$/))
      .transform((entries) => entries.join(','))
      .refine((text) => operatorList.parse(text) !== undefined, { error: operatorList.rule })
      .optional()
      .transform((text = '') => text),
    rule: operatorList.rule,
    meaning:
      '`NAME=SHA-256` of the token of each operator; on the command line separated by commas. Without it, the dashboard is disabled. Never the token itself.',
    loss: 'the dashboard closes',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
