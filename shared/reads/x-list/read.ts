// Reads the posts of a list of X.
import type { IdInput } from '../../contract/list-inputs.ts';
import { type Problem, problem } from '../../contract/problems.ts';
import type { XList } from '../../model/resources.ts';
import { later } from '../../model/time.ts';
import type { FailedOutcome, Requester, UseCaseResult } from '../../ports/upstream.ts';
import { POST_PROBLEMS, problemFromOutcome, rejectedParameter, USE_CASE_MILLISECONDS } from '../outcome-problems.ts';
import { fillPage } from '../paging/fill-page.ts';
import { type ListUseCasePorts, listResult } from '../paging/list-pages.ts';
import { translatedLists } from '../paging/translated-lists.ts';

const NOT_SHOWN = 'X does not show this list to visitors: it is private, or was deleted.';
const NOT_FOUND =
  'No source of this service shows posts of this list. The list can be empty or private, or the sources have no lists.';

const unreadProblem = (outcome: FailedOutcome, isLaterPage: boolean): Problem => {
  if (outcome.kind === 'gone') return problem('not_available_here', { detail: NOT_SHOWN });
  if ((outcome.kind === 'refused' && !isLaterPage) || (outcome.kind === 'down' && outcome.isUnsupported))
    return problem('not_available_here', { detail: NOT_FOUND, cause: outcome.why });
  return problemFromOutcome(outcome, POST_PROBLEMS, rejectedParameter.cursor);
};

/**
 * Reads the posts of a list of X. The source may have no lists, and does not say if a list exists.
 *
 * @throws Problem `not_available_here`, `invalid_cursor`, `upstream_failed` or `upstream_unavailable`
 */
export const readXList = async (
  input: IdInput,
  ports: ListUseCasePorts,
  requester?: Requester,
): Promise<UseCaseResult<XList>> => {
  const { cursors, clock } = ports;
  const { id, limit, position } = input;
  const deadline = later(clock(), USE_CASE_MILLISECONDS);
  const page = await fillPage({
    limit,
    position,
    fetch: (request) => translatedLists(input, ports)({ list: 'list of X', listId: id }, request, deadline, requester),
    idOf: (post) => post.id,
  });
  if (page.kind !== 'found') throw unreadProblem(page, position !== undefined);
  return listResult(page, input, cursors, (posts) => ({ id, posts }));
};
