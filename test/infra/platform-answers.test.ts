// Compares the table of the platform's answers with the synthesized template, the local service and the documents.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { replaceSection } from '../../infra/build/generated-section.ts';
import { createApiGateway } from '../../infra/local/api-gateway.ts';
import { createFunctionUrl } from '../../infra/local/function-url.ts';
import { type PlatformAnswer, platformAnswerRows, platformAnswers } from '../../shared/contract/platform-answers.ts';
import { platformProblems } from '../../shared/contract/platform-problems.ts';
import { problems } from '../../shared/contract/problems.ts';
import { platformReasons, platformTables } from '../../shared/publish/pages/platform-tables.ts';
import { templateOf } from './synthesized.ts';

const TABLE = fileURLToPath(new URL('../../docs/platform-answers.md', import.meta.url));

describe('[platform 1] the table of the answers that the platform creates', () => {
  const template = templateOf({ wafRateLimit: 10 });
  const of = (type: string) => Object.values(template.findResources(type)).map(({ Properties }) => Properties);

  test('is in the repository', async () => {
    const section = { name: 'answers', script: 'golden', content: platformReasons() };
    await expect(replaceSection(readFileSync(TABLE, 'utf8'), section)).toMatchFileSnapshot(TABLE);
  });

  test('tells callers every answer that they can see, and no other', () => {
    const table = platformTables.platformAnswers();
    for (const { cause, outcome } of platformAnswerRows)
      expect(table.includes(cause), cause).toBe(outcome !== 'prevented');
  });

  test('names every layer, and a reason for each answer', () => {
    expect(new Set(platformAnswerRows.map(({ layer }) => layer))).toEqual(
      new Set<PlatformAnswer['layer']>(['CloudFront', 'edge function', 'AWS WAF', 'HTTP API', 'function URL']),
    );
    for (const { reason } of platformAnswerRows) expect(reason).toMatch(/\.$/);
  });

  test('tells callers to retry exactly 429 and 5xx', () => {
    const rows = platformTables
      .platformAnswers()
      .split('\n')
      .slice(2)
      .map((row) => row.split(' | '));
    for (const [status = '', ...cells] of rows) {
      const retries = /^\| (?:429|5\d\d)/.test(status);
      expect(cells.at(-1), status).toMatch(retries ? /^(?:Retry|Wait)/ : /^Correct/);
    }
    expect(rows.length).toBeGreaterThan(15);
  });

  test('names the problems with which the web ACL answers', () => {
    const [acl] = of('AWS::WAFv2::WebACL');
    const bodies: readonly { readonly Content: string }[] = Object.values(acl?.['CustomResponseBodies']);
    expect(bodies.map(({ Content }) => JSON.parse(Content).status).toSorted()).toEqual(
      [...platformAnswers.addressLimited.statuses, ...platformAnswers.blocked.statuses].toSorted(),
    );
    expect(problems.rate_limited.status).toBe(429);
    expect(platformProblems.request_blocked.status).toBe(403);
  });

  test.each([
    ['unknownRoute', () => of('AWS::ApiGatewayV2::Route').some(({ RouteKey }) => RouteKey === '$default')],
    [
      'preflight',
      () =>
        !of('AWS::ApiGatewayV2::Api').some((api) => 'CorsConfiguration' in api) &&
        !of('AWS::Lambda::Url').some((url) => 'Cors' in url),
    ],
    ['urlForbidden', () => of('AWS::Lambda::Url').every(({ AuthType }) => AuthType === 'NONE')],
    [
      'foreignHost',
      () =>
        of('AWS::CloudFront::OriginRequestPolicy').every(
          ({ OriginRequestPolicyConfig }) => !/"host"/i.test(JSON.stringify(OriginRequestPolicyConfig.HeadersConfig)),
        ),
    ],
  ] as const)('%s is prevented by the configuration', (name, isPrevented) => {
    expect(platformAnswers[name].outcome).toBe('prevented');
    expect(isPrevented()).toBe(true);
  });

  test('no error page replaces an answer', () => {
    const [{ DistributionConfig } = { DistributionConfig: {} }] = of('AWS::CloudFront::Distribution');
    for (const row of DistributionConfig.CustomErrorResponses) expect(row).not.toHaveProperty('ResponsePagePath');
  });
});

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
    ['the HTTP API', createApiGateway, platformAnswers.functionFails],
    ['the function URL', createFunctionUrl, platformAnswers.urlFails],
  ] as const)('%s', async (_, create, { statuses, body }) => {
    const failures: string[] = [];
    const answer = await create(crash, (message) => failures.push(message))(request);
    expect(answer.status).toBe(statuses[0]);
    expect(JSON.parse(answer.body.toString())).toEqual(body);
    expect(failures).toHaveLength(1);
  });
});
