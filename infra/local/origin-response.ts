// Declares the response of an origin, between a function and the viewer.

export interface OriginResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** @param name in lower case */
export const headerOf = ({ headers }: OriginResponse, name: string): string | undefined => {
  const value = Object.entries(headers).find(([field]) => field.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(', ');
};

/** The answer of a platform, with the first of its statuses. */
export const platformResponse = ({
  statuses: [status],
  body,
}: {
  readonly statuses: readonly [number, ...number[]];
  readonly body: Readonly<Record<string, string>>;
}): OriginResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});
