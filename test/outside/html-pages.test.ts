// Judges the HTML of the published pages by html-validate. Their colours are judged by axe, in browser/documentation-pages.test.ts.
import { HtmlValidate, type RuleConfig } from 'html-validate';
import { expect, test } from 'vitest';
import { documentsFromContract } from '../../infra/build/documents-plugin.ts';
import { fillPlaceholders } from '../../shared/contract/placeholders.ts';
import { type PageName, pageNames } from '../../shared/publish/document.ts';

const published = await documentsFromContract();

const RULES: RuleConfig = {
  // Both spellings are valid; the pages use lower case.
  'doctype-style': ['error', { style: 'lowercase' }],
  // The ids of sections are published in links. The strict form rejects "1-read-a-post", which HTML allows.
  'valid-id': ['error', { relaxed: true }],
};

const judge = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:a11y'],
  rules: RULES,
});

const faultsOf = async (name: PageName, html: string): Promise<readonly string[]> => {
  const { results } = await judge.validateString(html, name);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, column, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
};

test.each(pageNames)('html-validate finds nothing on the page %s', async (name) => {
  expect(await faultsOf(name, fillPlaceholders(published[name].html, 'https://postern.example'))).toEqual([]);
});
