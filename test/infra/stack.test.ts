import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { additionalBehaviors, matchesPattern } from '../../infra/cache-behaviors.ts';
import { documentRows } from '../../shared/contract/documents.ts';
import { lambdas } from '../../shared/contract/lambdas.ts';
import { operationRows, pathsOf, useCasesOf } from '../../shared/contract/operations.ts';
import { type UseCase, useCases } from '../../shared/contract/use-cases.ts';
import { isReserved, RESERVED_SEGMENTS } from '../../shared/model/handle.ts';
import { dist, templateOf } from './synthesized.ts';

/** The canary, which serves no route, has its own test. */
const template = templateOf({ canaryMinutes: 0 });
const resources = (type: string) =>
  Object.entries(template.findResources(type)).map(([id, row]) => ({ id, ...row.Properties }));
const only = (type: string) => {
  const rows = resources(type);
  expect(rows).toHaveLength(1);
  return rows[0];
};

describe('the HTTP API', () => {
  /** Route keys and the logical ids of their functions. */
  const routes: Readonly<Record<string, string>> = Object.fromEntries(
    resources('AWS::ApiGatewayV2::Route').map(({ RouteKey, Target }) => {
      const integration = template.toJSON().Resources[Target['Fn::Join'][1][1].Ref];
      return [RouteKey, integration.Properties.IntegrationUri['Fn::GetAtt'][0]];
    }),
  );

  it('has one integration and one permission per function, and none for mcp', () => {
    const routed = Object.keys(lambdas).filter((name) => name !== 'mcp').length;
    template.resourceCountIs('AWS::ApiGatewayV2::Integration', routed);
    const permissions = resources('AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'apigateway.amazonaws.com',
    );
    // The permission of $default has an ARN of another form.
    expect(permissions).toHaveLength(routed + 1);
    expect(Object.values(routes)).not.toContain('McpFunction');
  });

  it('[platform 3] has neither CORS nor throttling, so that the functions answer OPTIONS and 429', () => {
    expect(only('AWS::ApiGatewayV2::Api')).not.toHaveProperty('CorsConfiguration');
    const stage = only('AWS::ApiGatewayV2::Stage');
    expect(stage).not.toHaveProperty('DefaultRouteSettings');
    expect(stage).not.toHaveProperty('RouteSettings');
  });
});

describe('the function URL', () => {
  it('accepts unsigned requests, because CloudFront does not sign, and does not stream', () => {
    const { id: _, ...url } = only('AWS::Lambda::Url');
    // Without CORS the function answers OPTIONS.
    expect(url).toEqual({
      AuthType: 'NONE',
      InvokeMode: 'BUFFERED',
      TargetFunctionArn: { 'Fn::GetAtt': ['McpFunction', 'Arn'] },
    });
  });
});

describe('the functions', () => {
  it('have fixed logical ids, which event files and alarms use', () => {
    const ids = resources('AWS::Lambda::Function').map(({ id }) => id.replace(/Function$/, ''));
    expect(ids.sort().join(' ')).toBe('Admin Discovery Engagements Legacy Mcp Oembed Posts Profiles Search');
  });

  it('run on Node 24 and arm64, or on x86_64 when configured', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    templateOf({ arch: 'x86_64' }).allResourcesProperties('AWS::Lambda::Function', { Architectures: ['x86_64'] });
  });

  it('keep their logs for the configured number of days', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    templateOf({ logRetentionDays: 7 }).allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
  });

  it('get the settings of the operator', () => {
    const Variables = {
      BASE_URL: 'https://posts.example.org',
      CACHE_TTL_SECONDS: '0',
      PROVIDERS: 'syndication,fxtwitter',
      FXTWITTER_BASE_URL: 'https://fx.example.org',
      CANARY_POST: '21',
    };
    templateOf({
      baseUrl: Variables.BASE_URL,
      cacheTtlSeconds: 0,
      providers: Variables.PROVIDERS,
      fxTwitterBaseUrl: Variables.FXTWITTER_BASE_URL,
      canaryPost: Variables.CANARY_POST,
    }).hasResource('AWS::Lambda::Function', {
      Properties: { Environment: { Variables: Match.objectLike(Variables) } },
    });
  });

  const wordsOf = (...rows: readonly string[]): readonly string[] => rows.flatMap((row) => row.split(' '));
  const HTTP = wordsOf('BASE_URL CACHE_TTL_SECONDS INDEXING METRICS_NAMESPACE ORIGIN_SECRETS PICTURES TRANSLATION');
  const UPSTREAM = wordsOf(
    'CANARY_POST CANARY_PROFILE FRESHNESS_PROFILE FXTWITTER_BASE_URL PROVIDERS SYNDICATION_BASE_URL UPSTREAM X_API_BASE_URL',
    'WITHHELD_FILE X_API_BEARER_TOKEN X_API_DAILY_ROWS',
  );
  const ACCESS = wordsOf(
    'ALLOWANCE_BROWSE ALLOWANCE_SEARCH_ANONYMOUS ALLOWANCE_SEARCH_KEYED ALLOWANCE_SEARCH_POOL COUNTERS_TABLE',
    'DYNAMODB_ENDPOINT KEYS_TABLE',
  );
  const LISTS = [...UPSTREAM, ...ACCESS, 'CURSOR_SECRETS'];
  const PROBED = UPSTREAM.filter(
    (name) => !['CANARY_PROFILE', 'FRESHNESS_PROFILE', 'UPSTREAM', 'X_API_BEARER_TOKEN'].includes(name),
  );

  it.each([
    ['PostsFunction', [...HTTP, ...UPSTREAM]],
    ['OembedFunction', [...HTTP, ...UPSTREAM]],
    ['ProfilesFunction', [...HTTP, ...LISTS]],
    ['SearchFunction', [...HTTP, ...LISTS]],
    ['LegacyFunction', [...HTTP, ...LISTS]],
    ['DiscoveryFunction', [...HTTP, 'SECURITY_CONTACT', 'ABUSE_CONTACT', 'OPERATOR_NAME', 'LOG_RETENTION_DAYS']],
    ['McpFunction', [...HTTP, ...LISTS]],
    ['AdminFunction', [...HTTP, ...ACCESS, ...PROBED, 'ADMIN_TABLE', 'ADMIN_TOKEN_HASHES', 'CURSOR_SECRETS']],
  ])('%s declares every variable that it reads, so that SAM can override it', (id, names) => {
    const { Variables } = template.toJSON().Resources[id].Properties.Environment;
    expect(Object.keys(Variables).toSorted()).toEqual(names.toSorted());
  });
});

const secretIds = (of: Template, Description: string): string[] =>
  Object.keys(of.findResources('AWS::SecretsManager::Secret', { Properties: { Description } }));

/** The value of a variable by function, if the function has the variable. */
const variable = (of: Template, name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(of.findResources('AWS::Lambda::Function')).flatMap(([id, { Properties }]) => {
      const value: unknown = Properties.Environment.Variables[name];
      return value === undefined ? [] : [[id, value]];
    }),
  );

describe('the tables', () => {
  const table = (name: string) => {
    const [found, ...more] = Object.entries(template.findResources('AWS::DynamoDB::Table')).filter(([id]) =>
      id.startsWith(`Tables${name}`),
    );
    expect(more).toEqual([]);
    return found?.[1] ?? {};
  };

  it('are billed per request', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 3);
    template.allResourcesProperties('AWS::DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' });
  });

  it.each(['keys', 'admin'])('%s is retained with the stack and has point-in-time recovery', (name) => {
    expect(table(name)).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  it('counters are deleted with the stack and have a time to live', () => {
    expect(table('counters')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { TimeToLiveSpecification: { AttributeName: 'x', Enabled: true } },
    });
  });
});

describe('the cursor secret', () => {
  it('is generated at deployment, for the functions that answer lists or hash IP addresses', () => {
    const [id] = secretIds(template, 'Signs the cursors of Postern');
    const reference = { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']] };
    const names = ['Admin', 'Engagements', 'Legacy', 'Mcp', 'Profiles', 'Search'];
    expect(variable(template, 'CURSOR_SECRETS')).toEqual(
      Object.fromEntries(names.map((name) => [`${name}Function`, reference])),
    );
  });

  it('is rotated by a higher version, and cursors of the previous secret stay valid', () => {
    const rotated = templateOf({ cursorSecretVersion: 2 });
    const [first] = secretIds(template, 'Signs the cursors of Postern');
    const [secrets] = Object.values(variable(rotated, 'CURSOR_SECRETS'));
    const all = secretIds(rotated, 'Signs the cursors of Postern');
    expect(all).toHaveLength(2);
    expect(all).toContain(first);
    // The first secret signs.
    expect(JSON.stringify(secrets)).toMatch(new RegExp(`${all.find((id) => id !== first)}.*${first}`));
  });
});

describe('the token of the official X API', () => {
  it('is read from the configured secret, for every function that calls providers', () => {
    const paid = templateOf({ providers: 'x_api,fxtwitter', xApiTokenSecret: 'postern/x-api' });
    const token = '{{resolve:secretsmanager:postern/x-api:SecretString:::}}';
    const names = ['Engagements', 'Legacy', 'Mcp', 'Oembed', 'Posts', 'Profiles', 'Search'];
    expect(variable(paid, 'X_API_BEARER_TOKEN')).toEqual(
      Object.fromEntries(names.map((name) => [`${name}Function`, token])),
    );
    expect(variable(template, 'X_API_BEARER_TOKEN')).toMatchObject({ PostsFunction: '' });
  });
});

describe('the origin secret', () => {
  const secretsOf = (of: Template): string => JSON.stringify(of.findResources('AWS::Lambda::Function'));

  it('is generated at deployment, sent by CloudFront and accepted by every function', () => {
    const [id] = secretIds(template, 'x-origin-secret of Postern');
    const reference = { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']] };
    template.allResourcesProperties('AWS::Lambda::Function', {
      Environment: { Variables: { ORIGIN_SECRETS: reference } },
    });
    const { Origins } = only('AWS::CloudFront::Distribution').DistributionConfig;
    expect(Origins).toHaveLength(2);
    for (const { OriginCustomHeaders } of Origins) {
      expect(OriginCustomHeaders).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: reference }]);
    }
  });

  it('is rotated by a higher version: functions accept both secrets before CloudFront changes', () => {
    const rotated = templateOf({ originSecretVersion: 2 });
    const [first] = secretIds(template, 'x-origin-secret of Postern');
    const all = secretIds(rotated, 'x-origin-secret of Postern');
    expect(all).toHaveLength(2);
    expect(all).toContain(first);
    expect(secretsOf(rotated)).toContain(`${first}`);
    const sent = Object.values(rotated.findResources('AWS::CloudFront::Distribution'))[0];
    expect(JSON.stringify(sent?.Properties)).not.toContain(`${first}`);
    expect(sent?.DependsOn).toEqual(expect.arrayContaining(['DiscoveryFunction', 'McpFunction', 'PostsFunction']));
  });
});

describe('CloudFront', () => {
  const { DistributionConfig: config } = only('AWS::CloudFront::Distribution');
  const behaviors = [...config.CacheBehaviors, config.DefaultCacheBehavior];
  const isPrivate = ({ PathPattern }: { readonly PathPattern?: string }): boolean =>
    /admin|^\/mcp\/?$/.test(PathPattern ?? '');
  const publicOnes = behaviors.filter((behavior) => !isPrivate(behavior));
  const cachePolicies = new Map(
    resources('AWS::CloudFront::CachePolicy').map(({ id, CachePolicyConfig }) => [id, CachePolicyConfig]),
  );
  const cacheHeaders = (behavior: { readonly CachePolicyId: { readonly Ref: string } }): readonly string[] =>
    cachePolicies.get(behavior.CachePolicyId.Ref).ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig.Headers;
  /** CloudFront applies the first behavior that matches. */
  const behaviorOf = (path: string) =>
    config.CacheBehaviors.find(({ PathPattern }: { readonly PathPattern: string }) =>
      matchesPattern(PathPattern, path),
    ) ?? config.DefaultCacheBehavior;

  const responsePolicies = new Map(
    resources('AWS::CloudFront::ResponseHeadersPolicy').map((row) => [row.id, row.ResponseHeadersPolicyConfig]),
  );
  /** A year, for this host only. */
  const HSTS = { AccessControlMaxAgeSec: 31_536_000, IncludeSubdomains: false, Override: false, Preload: false };

  it('has behaviors for the routes that ignore the key or are deprecated, in order of precedence', () => {
    expect(additionalBehaviors().map(({ pattern }) => pattern)).toEqual([
      '/mcp',
      '/mcp/',
      '/admin',
      '/admin/*',
      '/api/admin/*',
      '/api/v1/posts',
      '/api/v1/oembed',
      '/oembed',
      '/api/convert',
      '/api/browse',
      '/',
      '/api',
      '/openapi.json',
      '/llms.txt',
      '/docs',
      '/api/v1/profiles/*',
      '/api/v1/posts/*',
      '/api/*',
      '/*/status/*',
      '/*/statuses/*',
      '/*/article/*',
      '/.well-known/*',
      '/mcp/*',
      '/docs/*',
      '/assets/*',
    ]);
    // The default quota is 75 behaviors for each distribution, with the default behavior.
    expect(additionalBehaviors().length).toBeLessThan(75);
    expect(config.CacheBehaviors.map(({ PathPattern }: { readonly PathPattern: string }) => PathPattern)).toEqual(
      additionalBehaviors().map(({ pattern }) => pattern),
    );
  });

  // `status` is a valid handle and `*` matches slashes, so /api/v1/{...}/status/{...} must keep its key.
  it.each(['jack', 'status', 'docs', 'api'])(
    '[caching 2] [caching 8] a route gets Authorization exactly if it reads the API key, with %s in every variable that is no number',
    (word) => {
      for (const [id, operation] of operationRows) {
        const honoured = useCasesOf(operation).some((name) => {
          const read: UseCase = useCases[name];
          return read.apiKey === 'honoured';
        });
        for (const path of pathsOf(operation)) {
          if (path.startsWith('/{handle}') && isReserved(word)) continue; // no such route
          const headers = cacheHeaders(behaviorOf(path.replace('{id}', '20').replaceAll(/\{[^}]+\}/g, word)));
          expect(headers.includes('Authorization'), `${id} at ${path}`).toBe(honoured);
        }
      }
      for (const [, { path, kind, rel }] of documentRows) {
        const isRare = kind === 'file' && rel === undefined && path.lastIndexOf('/') === 0;
        expect(cacheHeaders(behaviorOf(path)), path).toEqual(isRare ? ['Accept', 'Authorization'] : ['Accept']);
      }
      expect(cacheHeaders(config.DefaultCacheBehavior)).toEqual(['Accept', 'Authorization']);
    },
  );

  it.each([...RESERVED_SEGMENTS])(
    '[caching 20] a path with the handle %sray has the behavior that it has with any other handle',
    (word) => {
      const paths = operationRows
        .flatMap(([, operation]) => pathsOf(operation))
        .filter((path) => /\{handle/.test(path));
      const filled = (path: string, handle: string): string =>
        path.replaceAll(/\{handles?\}/g, handle).replaceAll(/\{[^}]+\}/g, '20');
      expect(paths.length).toBeGreaterThan(20);
      for (const path of paths)
        expect(behaviorOf(filled(path, `${word}ray`)), path).toBe(behaviorOf(filled(path, 'jack')));
    },
  );

  it('separates answers by the encodings that the viewer accepts, and not by cookies', () => {
    expect(cachePolicies.size).toBe(2);
    for (const { ParametersInCacheKeyAndForwardedToOrigin: key } of cachePolicies.values()) {
      expect(key.CookiesConfig).toEqual({ CookieBehavior: 'none' });
      // Both are enabled: the function gets `br,gzip`, `gzip`, `br` or nothing, each with its own key.
      expect(key).toMatchObject({ EnableAcceptEncodingBrotli: true, EnableAcceptEncodingGzip: true });
    }
  });

  it('adds only the IP address and the host of the viewer and the proof of the canary to a request, neither Host nor Authorization', () => {
    const policy = only('AWS::CloudFront::OriginRequestPolicy');
    expect(policy.OriginRequestPolicyConfig.HeadersConfig).toEqual({
      HeaderBehavior: 'whitelist',
      Headers: ['x-viewer-ip', 'x-viewer-host', 'x-viewer-error', 'x-canary-proof'],
    });
    for (const { OriginRequestPolicyId } of publicOnes) expect(OriginRequestPolicyId).toEqual({ Ref: policy.id });
    for (const behavior of publicOnes) expect(cacheHeaders(behavior)).not.toContain('Host');
  });

  it('[admin 7] caches no private route, forwards all its headers except Host and adds only HSTS to its answers', () => {
    const [CACHING_DISABLED, ALL_VIEWER_EXCEPT_HOST_HEADER] = [
      '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    ];
    const privateBehaviors = behaviors.filter(isPrivate);
    expect(privateBehaviors.map(({ PathPattern }) => PathPattern)).toEqual([
      '/mcp',
      '/mcp/',
      '/admin',
      '/admin/*',
      '/api/admin/*',
    ]);
    for (const behavior of privateBehaviors) {
      expect(behavior).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      });
      const { Name: _, ...policy } = responsePolicies.get(behavior.ResponseHeadersPolicyId.Ref);
      expect(policy).toEqual({ SecurityHeadersConfig: { StrictTransportSecurity: HSTS } });
    }
  });

  it('uses TLS to the origins and waits 15 s', () => {
    expect(config.Origins).toHaveLength(2);
    for (const { CustomOriginConfig } of config.Origins) {
      expect(CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginReadTimeout: 15 });
    }
  });

  it('sends /mcp and /mcp/ to the function URL and all other paths to the HTTP API', () => {
    const url = only('AWS::Lambda::Url');
    const originOf = (path: string): unknown => {
      const { TargetOriginId } = behaviorOf(path);
      return config.Origins.find(({ Id }: { readonly Id: string }) => Id === TargetOriginId)?.DomainName;
    };
    for (const path of ['/mcp', '/mcp/'])
      expect(originOf(path)).toEqual({
        'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': [url.id, 'FunctionUrl'] }] }],
      });
    const api = originOf('/no/where');
    expect(JSON.stringify(api)).toContain('.execute-api.');
    for (const path of ['/mcp/server-card', '/mcp//', '/MCP', '/admin', '/', '/jack'])
      expect(originOf(path)).toEqual(api);
  });

  it('supports HTTP/2 and HTTP/3', () => {
    expect(config.HttpVersion).toBe('http2and3');
  });

  it.each([
    ['https-only', ['/mcp', '/admin', '/admin/style.css', '/api/admin/keys', '/api/v2/x/status/1', '/api/nowhere']],
    ['redirect-to-https', ['/api', '/', '/docs/mcp', '/no/where']],
  ])('%s: HTTP to %j', (policy, paths) => {
    for (const path of paths) expect(behaviorOf(path).ViewerProtocolPolicy, path).toBe(policy);
  });

  it('no path of an operation below /api or of /mcp is redirected from HTTP, whatever its variables are', () => {
    for (const word of ['jack', 'status', 'article', '20']) {
      for (const path of operationRows.flatMap(([, row]) => pathsOf(row))) {
        const { ViewerProtocolPolicy } = behaviorOf(path.replaceAll(/\{[^}]+\}/g, word));
        const isProgram = path.startsWith('/api/') || path === '/mcp';
        expect(ViewerProtocolPolicy, path).toBe(isProgram ? 'https-only' : 'redirect-to-https');
      }
    }
  });

  it('has the built edge function', () => {
    const edge = only('AWS::CloudFront::Function');
    expect(edge.FunctionCode).toBe(readFileSync(join(dist, 'edge', 'viewer-request.js'), 'utf8'));
    expect(edge.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
  });

  const responsePolicyOf = (path: string) => responsePolicies.get(behaviorOf(path).ResponseHeadersPolicyId.Ref);

  it('[platform 1] answers that AWS creates have lifecycle headers on the aliases only', () => {
    for (const path of ['/api/v1/posts', '/jack/status/20', '/api', '/no-where'])
      expect(responsePolicyOf(path).CustomHeadersConfig).toBeUndefined();
    // Without a base URL at synthesis there is no Link.
    for (const path of ['/api/convert', '/api/browse']) {
      expect(responsePolicyOf(path).CustomHeadersConfig.Items).toEqual([
        { Header: 'Deprecation', Override: false, Value: '@1789430400' },
        { Header: 'Sunset', Override: false, Value: 'Wed, 15 Sep 2027 00:00:00 GMT' },
      ]);
    }
  });

  it('[platform 1] [platform 2] answers that AWS creates link to the documentation when the base URL is configured', () => {
    const withBaseUrl = templateOf({ baseUrl: 'https://posts.example.org' });
    const links = Object.values(withBaseUrl.findResources('AWS::CloudFront::ResponseHeadersPolicy')).flatMap(
      ({ Properties }) =>
        (Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items ?? []).filter(
          ({ Header }: { readonly Header: string }) => Header === 'Link',
        ),
    );
    const page = '<https://posts.example.org/docs/versioning>';
    const Value = `${page}; rel="deprecation"; type="text/html", ${page}; rel="sunset"; type="text/html"`;
    // One policy per alias, and no second Link beside that of a function.
    expect(links).toEqual(Array.from({ length: 2 }, () => ({ Header: 'Link', Override: false, Value })));
  });

  it('every answer has HSTS', () => {
    for (const behavior of behaviors) {
      const { SecurityHeadersConfig } = responsePolicies.get(behavior.ResponseHeadersPolicyId.Ref);
      expect(SecurityHeadersConfig).toEqual({ StrictTransportSecurity: HSTS });
    }
  });

  it('has the configured domain name', () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
    const named = templateOf({ domainName: 'posts.example.org', certificateArn });
    named.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['posts.example.org'],
        ViewerCertificate: Match.objectLike({ AcmCertificateArn: certificateArn }),
      },
    });
    named.hasOutput('Url', { Value: 'https://posts.example.org' });
  });
});
