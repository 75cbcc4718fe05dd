// Allowances that no measurement spends.

const AMPLE = '1000000/60';

export const AMPLE_ALLOWANCES = {
  ALLOWANCE_SEARCH_ANONYMOUS: AMPLE,
  ALLOWANCE_SEARCH_KEYED: AMPLE,
  ALLOWANCE_BROWSE: AMPLE,
} as const;
