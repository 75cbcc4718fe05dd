// THE allowances: how many reads a caller has per window. Post reads and documents spend nothing.

export const allowances = {
  search: { anonymous: { count: 10, seconds: 60 }, keyed: { count: 60, seconds: 60 } },
  browse: { anonymous: { count: 60, seconds: 60 }, keyed: { count: 60, seconds: 60 } },
} as const;

export type AllowanceName = keyof typeof allowances;
