// Says of an answer of the shared cache what the function that gave it wrote into its log: the operation and the form.
import { documentRows } from '../../shared/contract/documents.ts';
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { contentTypes } from '../../shared/contract/media-types.ts';
import { DOCUMENT_OPERATION, REDIRECT_OPERATION, UNKNOWN_OPERATION } from '../../shared/contract/metrics.ts';
import { createRouteFinder } from '../../shared/http/operation-routes.ts';
import { formOfType } from '../../shared/http/request-log.ts';
import { keysOf, tableOf } from '../../shared/model/json.ts';
import { type OriginRequest, type OriginResponse, routeRequest } from './api-gateway.ts';
import type { CacheAnswer } from './shared-cache.ts';

export interface RequestFacts {
  readonly operation: string;
  readonly form: string;
}

const findRoute = tableOf(lambdaNames, createRouteFinder);

const documentPaths: ReadonlySet<string> = new Set(documentRows.map(([, { path }]) => path));

const operationOf = (request: OriginRequest, { status }: OriginResponse): string => {
  const { lambda, event } = routeRequest(request, new Date(0));
  const route = findRoute[lambda](event);
  if (route !== undefined) return route.id;
  if (documentPaths.has(event.rawPath)) return DOCUMENT_OPERATION;
  return status >= 300 && status < 400 && status !== 304 ? REDIRECT_OPERATION : UNKNOWN_OPERATION;
};

/** Several forms have the type of Markdown, so the parameter tells them apart. */
const formOf = ({ query }: OriginRequest, { type }: CacheAnswer): string => {
  const format = new URLSearchParams(query).get('format');
  return keysOf(contentTypes).find((form) => form === format && contentTypes[form] === type) ?? formOfType(type);
};

/** @param request as the function got it, without which no cache answers */
export const requestFacts = (request: OriginRequest, response: CacheAnswer): RequestFacts => ({
  operation: operationOf(request, response),
  form: formOf(request, response),
});
