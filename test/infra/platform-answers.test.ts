// Checks that the configuration prevents answers of the platform, and that the local service answers as the platform does.
import { describe, expect, test } from 'vitest';
import { createApiGateway, createFunctionUrl } from '../../infra/local/api-gateway.ts';
import { platformProblems } from '../../shared/contract/platform-problems.ts';
import { problems } from '../../shared/contract/problems.ts';
import { templateOf } from './synthesized.ts';

describe('[platform 1] answers that the platform creates', () => {
  const template = templateOf({ wafRateLimit: 10 });
  const of = (type: string) => Object.values(template.findResources(type)).map(({ Properties }) => Properties);

  test('names the problems with which the web ACL answers', () => {
    const [acl] = of('AWS::WAFv2::WebACL');
    const bodies: readonly { readonly Content: string }[] = Object.values(acl?.['CustomResponseBodies']);
    expect(bodies.map(({ Content }) => JSON.parse(Content).status).toSorted()).toEqual([403, 429]);
    expect(problems.rate_limited.status).toBe(429);
    expect(platformProblems.request_blocked.status).toBe(403);
  });

  test.each([
    ['urlForbidden', () => of('AWS::Lambda::Url').every(({ AuthType }) => AuthType === 'NONE')],
    [
      'foreignHost',
      () =>
        of('AWS::CloudFront::OriginRequestPolicy').every(
          ({ OriginRequestPolicyConfig }) => !/"host"/i.test(JSON.stringify(OriginRequestPolicyConfig.HeadersConfig)),
        ),
    ],
  ] as const)('%s is prevented by the configuration', (_, isPrevented) => {
    expect(isPrevented()).toBe(true);
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
