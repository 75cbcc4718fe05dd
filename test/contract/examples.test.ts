// Checks that the examples in the documents are real answers of the service.
import { expect, onTestFinished, test } from 'vitest';
import { exampleEnvironment, recordExamples } from '../../infra/local/examples.ts';
import { recordAnswers } from '../../infra/local/record-answers.ts';
import { startSampleServer } from '../../infra/local/sample-server.ts';
import { answers } from '../../shared/publish/answers.ts';
import { exampleRows } from '../../shared/publish/examples.ts';
import { startTestService } from '../support/local-service.ts';

const startExamples = async () => {
  const sample = await startSampleServer();
  onTestFinished(sample.close);
  return startTestService(exampleEnvironment(sample.origin));
};

test('[spec 4.4 #78] every documented example equals the answer of the service to its request', async () => {
  const { origin } = await startExamples();
  expect(await recordExamples(origin)).toEqual(Object.fromEntries(exampleRows));
});

test('[spec 4.4 #78] every documented problem and format equals the answer of the service to its request', async () => {
  const { origin } = await startExamples();
  expect(await recordAnswers(origin)).toEqual(answers);
});
