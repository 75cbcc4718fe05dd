// Fetches JSON for the browser pages and turns every failure into a problem that people can read.

/** RFC 9457, with the members that the pages show. */
export interface Problem {
  readonly title: string;
  readonly status?: number;
  readonly code?: string;
  readonly detail?: string;
  readonly resolution?: string;
  /** The reason that a post cannot be read. */
  readonly reason?: string;
  /** Seconds. */
  readonly retry_after?: number;
  readonly errors?: readonly { readonly parameter: string; readonly message: string }[];
}

/** Thrown if the service cannot be reached or answers with an error. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

const noResponse = (): never => {
  throw new ApiError({
    title: 'The service cannot be reached',
    resolution: 'Check the connection and try again.',
  });
};

const problemOf = async (response: Response): Promise<Problem> => {
  const { status } = response;
  const seconds = Number(response.headers.get('Retry-After'));
  // CloudFront and API Gateway answer without a problem document.
  const document: Partial<Problem> = await response.json().catch(() => ({}));
  return {
    title: `The service answered with status ${status}`,
    ...(seconds > 0 ? { retry_after: seconds } : { resolution: 'Try again in a minute.' }),
    ...document,
    status,
  };
};

const readBody = async (response: Response) => (response.status === 204 ? null : response.json());

const fetchOk = async (path: string, options: RequestInit): Promise<Response> => {
  const response = await fetch(path, options).catch(noResponse);
  if (!response.ok) throw new ApiError(await problemOf(response));
  return response;
};

/** @throws ApiError @returns null for 204, which has no body */
export const fetchJson = async <Body>(path: string, options: RequestInit): Promise<Body> =>
  readBody(await fetchOk(path, options)).catch(noResponse);

/** @throws ApiError */
export const fetchText = async (path: string, options: RequestInit): Promise<string> =>
  (await fetchOk(path, options)).text().catch(noResponse);

/** Joins the detail, unless it only repeats the title, and the advice. */
export const alertText = ({ title, detail }: Problem, ...advice: readonly (string | undefined)[]): string =>
  [detail === `${title}.` ? undefined : detail, ...advice].filter(Boolean).join(' ');
