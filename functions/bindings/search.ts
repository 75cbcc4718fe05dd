// Binds the search to its views, and creates the handler of its Lambda. The alias shares the binding.
import { createErrorPages } from '../../shared/http/middleware/error-pages.ts';
import { createOperationHandler } from '../../shared/http/operation-handler.ts';
import type { LambdaHandler } from '../../shared/http/pipeline.ts';
import { bind, type UseCaseBindings } from '../../shared/http/run-use-case.ts';
import type { AccessControlPorts } from '../../shared/ports/access-control.ts';
import { searchFormHtml } from '../../shared/reads/search/page.ts';
import { presentSearch } from '../../shared/reads/search/present.ts';
import { searchPosts } from '../../shared/reads/search/read.ts';
import type { ListPorts } from './profiles.ts';

export const bindSearch = (ports: ListPorts): UseCaseBindings<'searchPosts'> => ({
  searchPosts: { ...bind(ports, searchPosts, presentSearch), presentForm: searchFormHtml },
});

/** Searches have a Lambda of their own, because they have an allowance of their own. */
export const createSearchHandler = (ports: ListPorts & AccessControlPorts): LambdaHandler =>
  createOperationHandler('search', ports, bindSearch(ports), createErrorPages(ports));
