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

export const jsonResponse = (status: number, body: unknown): OriginResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});
