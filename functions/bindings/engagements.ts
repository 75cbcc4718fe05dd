// Binds the lists below a post to their views, and creates the handler of their Lambda.
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind } from '../../shared/http/run-use-case.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import { presentQuotes } from '../../shared/reads/quotes/present.ts';
import { listQuotes } from '../../shared/reads/quotes/read.ts';
import { presentReplies } from '../../shared/reads/replies/present.ts';
import { listReplies } from '../../shared/reads/replies/read.ts';
import { presentReposters } from '../../shared/reads/reposts/present.ts';
import { listReposts } from '../../shared/reads/reposts/read.ts';
import type { ListPorts } from './profiles.ts';

/**
 * Replies, quotes and reposts are lists that charge an allowance by IP address, which posts do not, so that the Lambda of
 * posts stays small.
 */
export const createEngagementsHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler(
    'engagements',
    ports,
    {
      listReplies: bind(ports, listReplies, presentReplies),
      listQuotes: bind(ports, listQuotes, presentQuotes),
      listReposts: bind(ports, listReposts, presentReposters),
    },
    createErrorPages(ports),
  );
