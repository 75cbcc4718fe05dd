// Weights of Accept at the edges of their grammar (RFC 9110 section 12.4.2).
import { expect, test } from 'vitest';
import { negotiations } from '../../../shared/contract/media-types.ts';
import { negotiateFormat } from '../../../shared/http/content-negotiation.ts';

test.each([
  // A weight above 1 counts as 1: at equal weights the first offer wins.
  ['application/json;q=1.5, text/markdown', 'markdown'],
  ['application/json;q=1.999, text/markdown;q=1', 'markdown'],
  ['application/json, text/markdown;q=1.5', 'markdown'],
  ['application/json;q=1.5, text/markdown;q=0.999', 'json'],
  // A weight outside of the grammar is no weight, so that the range has weight 1.
  ['application/json;q=2, text/markdown', 'markdown'],
  ['application/json;q=2, text/markdown;q=0.9', 'json'],
  ['application/json;q=0.0001, text/markdown;q=0.9', 'json'],
  // text/plain counts as Markdown, so a client that refuses it refuses Markdown, unless it names Markdown.
  ['text/plain;q=0.001, */*', 'json'],
  ['text/plain;q=0, */*', 'json'],
  ['text/plain;q=0', undefined],
  ['text/plain;q=0, text/markdown;q=0.1', 'markdown'],
])('negotiateFormat(%j) returns %s', (accept, format) => {
  expect(negotiateFormat(accept, negotiations.versioned)).toBe(format);
});

test.each([
  // A wildcard never selects Markdown for a page, whatever the weights are.
  ['text/html;q=0.5, */*', 'html'],
  ['text/html;q=0.5, text/*', 'html'],
  ['text/plain', undefined],
  ['text/markdown', 'markdown'],
  ['*/*', 'html'],
])('[negotiation 1] negotiateFormat(%j) returns %s for a page', (accept, format) => {
  expect(negotiateFormat(accept, negotiations.page)).toBe(format);
});
