// Writes problem documents.
import { ERRORS_PATH } from './paths.ts';
import { type Problem, problemRow, resolutionOf } from './problems.ts';

/** RFC 9457 section 3. */
export const problemDocument = (
  thrown: Problem,
  at: { readonly baseUrl: string; readonly instance: string; readonly links?: readonly object[] },
): Readonly<Record<string, unknown>> => {
  const row = problemRow(thrown.code);
  const { detail, errors, reason } = thrown.options;
  const retryAfter = thrown.options.retryAfter ?? row.retryAfter;
  return {
    type: `${at.baseUrl}${ERRORS_PATH}#${thrown.code}`,
    title: row.title,
    status: row.status,
    code: thrown.code,
    detail: detail ?? `${row.title}.`,
    resolution: resolutionOf(thrown, at.baseUrl),
    instance: at.instance,
    ...(errors && { errors }),
    ...(reason !== undefined && { reason }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(at.links && { links: at.links }),
  };
};
