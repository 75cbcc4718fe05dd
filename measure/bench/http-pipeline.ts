// Measures the HTTP pipeline with a constant answer against hono's Lambda adapter with the same answer.
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { createPipeline } from '../../shared/http/pipeline.ts';
import { context, event } from '../../test/support/event.ts';
import { BENCH_PORTS, microseconds, microsecondsRow, type Row, ratioRow, requireText } from './measure.ts';

/** The log line of a request is a third of the pipeline. */
const PIPELINE_BAR = 0.18;

export const pipelineRows = async (): Promise<Row[]> => {
  const body = 'x'.repeat(2048);
  const request = event('/api/v1/posts?handle=jack&id=20');
  const pipeline = createPipeline(BENCH_PORTS, {
    lambda: 'posts',
    findRoute: () => ({ id: 'constant', honoursKey: false, negotiated: true }),
    handleRequest: async () => ({ statusCode: 200, headers: { 'Content-Type': 'text/markdown' }, body }),
  });
  const app = new Hono();
  app.get('/api/v1/posts', (c) => c.text(body));
  const honoHandler = handle(app);
  const lambda = context();
  const tasks = {
    pipeline: () => pipeline({ ...request }, lambda),
    hono: () => honoHandler(request as never, lambda as never),
  };
  requireText(body, { pipeline: await tasks.pipeline(), hono: await tasks.hono() });
  const us = await microseconds(tasks);
  return [
    microsecondsRow('HTTP pipeline, constant answer', us.pipeline),
    ratioRow('HTTP pipeline / hono aws-lambda adapter', us.pipeline / us.hono, PIPELINE_BAR),
  ];
};
