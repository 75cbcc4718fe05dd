// Checks that the configuration prevents answers of the platform, and that the local service answers as the platform does.
import { describe, expect, test } from 'vitest';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';

describe('[platform 4] the local service answers as the platform when a function fails', () => {
  const request = {
    method: 'GET',
    path: '/jack/status/20',
    query: '',
    headers: {},
    body: Buffer.alloc(0),
    sourceIp: '192.0.2.1',
  };
  const crash = () => Promise.reject(new Error('crashed'));

  test.each([
    ['the HTTP API', createApiGateway, 500, { message: 'Internal Server Error' }],
    ['the function URL', createFunctionUrl, 502, { Message: 'Internal Server Error' }],
  ] as const)('%s', async (_, create, status, body) => {
    const failures: string[] = [];
    const answer = await create(crash, (message) => failures.push(message))(request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body.toString())).toEqual(body);
    expect(failures).toHaveLength(1);
  });
});
