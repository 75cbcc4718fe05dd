// What the page asks of the service, and what it hears.

export interface PostAnswer {
  readonly markdown: string;
  readonly source: string;
  readonly warnings: readonly { readonly message: string }[];
  readonly post: {
    readonly url: string;
    readonly author?: { readonly name: string; readonly handle: string };
  };
}

interface EmbedAnswer {
  readonly html: string;
}

/** RFC 9457, as far as people are shown it. */
export interface Problem {
  readonly title: string;
  readonly code?: string;
  readonly detail?: string;
  readonly resolution?: string;
  /** Seconds. */
  readonly retry_after?: number;
}

/** The service did not give what was asked for. */
export class PublicApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

const NO_ANSWER: Problem = {
  title: 'The service cannot be reached',
  resolution: 'Check the connection and try again.',
};

const noResponse = (): never => {
  throw new PublicApiError(NO_ANSWER);
};

const waitOf = (response: Response): Pick<Problem, 'retry_after'> => {
  const seconds = Number(response.headers.get('Retry-After'));
  return seconds > 0 ? { retry_after: seconds } : {};
};

const problemOf = async (response: Response): Promise<Problem> => {
  const unexplained = {
    title: `The service answered with status ${response.status}`,
    resolution: 'Try again in a minute.',
    ...waitOf(response),
  };
  try {
    const document: Partial<Problem> = await response.json();
    return { ...unexplained, ...document };
  } catch {
    // What stands in front of the service answers without a problem document.
    return unexplained;
  }
};

/** @throws Failure */
const ask = async <Answer>(path: string, query: Record<string, string>, signal: AbortSignal): Promise<Answer> => {
  const response = await fetch(`${path}?${new URLSearchParams(query)}`, { signal, credentials: 'omit' }).catch(
    noResponse,
  );
  if (!response.ok) throw new PublicApiError(await problemOf(response));
  return response.json().catch(noResponse);
};

export const readPost = (url: string, signal: AbortSignal): Promise<PostAnswer> =>
  ask('/api/v1/posts', { url, format: 'json' }, signal);

export const readEmbed = (url: string, signal: AbortSignal): Promise<EmbedAnswer> =>
  ask('/api/v1/oembed', { url }, signal);
