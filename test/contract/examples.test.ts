// Checks that the examples in the documents are real answers of the service.
import { expect, onTestFinished, test } from 'vitest';
import { recordAnswers, recordExamples } from '../../infra/local/examples.ts';
import { answers, exampleRows } from '../../shared/publish/examples.ts';
import { startLiveService } from '../support/local-service.ts';

const startExamples = async () => {
  const service = await startLiveService();
  onTestFinished(service.close);
  return service;
};

test('[discovery 4] every documented example equals the answer of the service to its request', async () => {
  const { origin } = await startExamples();
  expect(await recordExamples(origin)).toEqual(Object.fromEntries(exampleRows));
});

test('[discovery 4] every documented problem and format equals the answer of the service to its request', async () => {
  const { origin } = await startExamples();
  expect(await recordAnswers(origin)).toEqual(answers);
});
