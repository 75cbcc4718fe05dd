// Puts the errors of the AWS SDK into words: what is wrong, then what to do.

const REASONS: readonly (readonly [names: RegExp, text: string])[] = [
  [
    /^(?:CredentialsProviderError|UnrecognizedClientException|InvalidClientTokenId|AuthFailure)$/,
    'there are no valid AWS credentials: sign in (for example with `aws configure` or `aws sso login`), or name a profile with --profile',
  ],
  [
    /^(?:ExpiredToken|ExpiredTokenException|RequestExpired|TokenRefreshRequired)$/,
    'the AWS credentials have expired: sign in again',
  ],
  [
    /^(?:AccessDenied|AccessDeniedException|UnauthorizedOperation)$/,
    'the AWS credentials lack a permission: use credentials that may read CloudFormation, or assume the roles of the bootstrap stack',
  ],
  [
    /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|TimeoutError|NetworkingError)$/,
    'AWS cannot be reached: check the network, the proxy and the region',
  ],
  [
    /^(?:OptInRequired|RegionDisabledException)$/,
    'the account has not enabled the region: enable it in the console of AWS',
  ],
];

const namesOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [error.name, ...code];
};

export const isErrorNamed = (error: unknown, name: string): boolean => namesOf(error).includes(name);

/** The SDK describes every answer of AWS in this member. */
const isAnswerOfAws = (error: Error): boolean => '$metadata' in error;

/** @returns one sentence, or undefined if the error is not about the account */
export const accountProblem = (error: unknown): string | undefined => {
  const names = namesOf(error);
  const [, text] = REASONS.find(([pattern]) => names.some((name) => pattern.test(name))) ?? [];
  if (!(error instanceof Error) || (text === undefined && !isAnswerOfAws(error))) return undefined;
  return `The account cannot be read, because ${text ?? 'AWS answered with an error: try again later'}. (${error.message.split('\n')[0]})`;
};
