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

const platformResponse = (status: number, body: Readonly<Record<string, string>>): OriginResponse => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** Answers of AWS itself; docs/platform-answers.md lists all of them. */
export const platformResponses = {
  bodyTooLarge: platformResponse(413, { message: 'Request Too Long' }),
  functionFails: platformResponse(500, { message: 'Internal Server Error' }),
  urlFails: platformResponse(502, { Message: 'Internal Server Error' }),
} as const;
