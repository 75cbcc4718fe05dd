// Reports the violations that axe-core finds on a page.
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'puppeteer-core';

/**
 * Frames are excluded: the frames of these pages are sandboxed, so axe-core cannot run in them. The size of targets (WCAG 2.2,
 * 2.5.8) is no default of axe-core.
 */
const RUN = `axe
  .run(document, { iframes: false, resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
  .then(JSON.stringify)`;

const unfold = (): void => {
  for (const details of document.querySelectorAll('details')) details.open = true;
};

/** @returns a line per violation */
export const violationsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(unfold);
  await page.evaluate(axe.source);
  const { violations }: AxeResults = JSON.parse(String(await page.evaluate(RUN)));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
};
