// Checks that the examples in the documents are real answers of the service.
import { expect, test } from 'vitest';
import { EXAMPLE_ENVIRONMENT, recordExamples } from '../../infra/local/examples.ts';
import { recordAnswers } from '../../infra/local/record-answers.ts';
import { answers } from '../../shared/publish/answers.ts';
import { exampleRows } from '../../shared/publish/examples.ts';
import { startTestService } from '../support/local-service.ts';

test('[spec 4.4 #78] every documented example equals the answer of the service to its request', async () => {
  const { origin } = await startTestService(EXAMPLE_ENVIRONMENT);
  expect(await recordExamples(origin)).toEqual(Object.fromEntries(exampleRows));
});

test('[spec 4.4 #78] every documented problem and format equals the answer of the service to its request', async () => {
  const { origin } = await startTestService(EXAMPLE_ENVIRONMENT);
  expect(await recordAnswers(origin)).toEqual(answers);
});
