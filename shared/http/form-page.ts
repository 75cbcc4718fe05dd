// Answers people who open a page without the parameter that it needs: with a form instead of a problem. The page is the
// same for everyone, so it is cached like a document, charges nothing and calls no provider.
import { negotiations } from '../contract/media-types.ts';
import type { Operation } from '../contract/operations.ts';
import { negotiateFormat } from './content-negotiation.ts';
import { type HttpEvent, headerOf, queryOf } from './event.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import type { Representation } from './representation.ts';

/** @returns true if the parameter is absent or blank, `format` is absent, and Accept selects HTML */
export const asksForForm = (event: HttpEvent, { formFor, surface }: Operation): boolean => {
  if (formFor === undefined) return false;
  const query = queryOf(event);
  const values = query.get(formFor) ?? [];
  return (
    values.length <= 1 &&
    values.every((value) => value.trim() === '') &&
    !query.has('format') &&
    negotiateFormat(headerOf(event, 'accept'), negotiations[surface]) === 'html'
  );
};

/** @param html a complete page */
export const createFormPage = (html: string): Representation => ({
  format: 'html',
  body: html,
  cache: 'document',
  headers: PAGE_HEADERS,
});
