import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { additionalBehaviors, matchesPattern } from '../../infra/cache-behaviors.ts';
import { readConfig, SetupError } from '../../infra/config.ts';
import { ORIGIN_READ_TIMEOUT_SECONDS } from '../../infra/constructs/distribution.ts';
import { documentRows } from '../../shared/contract/documents.ts';
import { LAMBDA_TIMEOUT_SECONDS, lambdas } from '../../shared/contract/lambdas.ts';
import { operationRows, pathsOf, useCasesOf } from '../../shared/contract/operations.ts';
import { routeKey } from '../../shared/contract/path-template.ts';
import { type UseCase, useCases } from '../../shared/contract/use-cases.ts';
import { isReserved } from '../../shared/model/handle.ts';
import { createStack, dist, synthesize, templateOf } from './synthesized.ts';

const template = templateOf();
const resources = (type: string) =>
  Object.entries(template.findResources(type)).map(([id, row]) => ({ id, ...row.Properties }));
const only = (type: string) => {
  const rows = resources(type);
  expect(rows).toHaveLength(1);
  return rows[0];
};

describe('the HTTP API', () => {
  /** Route key to the logical id of the function that it reaches. */
  const routes: Readonly<Record<string, string>> = Object.fromEntries(
    resources('AWS::ApiGatewayV2::Route').map(({ RouteKey, Target }) => {
      const integration = template.toJSON().Resources[Target['Fn::Join'][1][1].Ref];
      return [RouteKey, integration.Properties.IntegrationUri['Fn::GetAtt'][0]];
    }),
  );

  it('[spec 4 #21] every operation has an ANY route, so HEAD reaches the function', () => {
    for (const [, operation] of operationRows) {
      const { lambda } = operation;
      const reached = `${lambda.charAt(0).toUpperCase()}${lambda.slice(1)}Function`;
      for (const path of pathsOf(operation)) expect(routes[routeKey(path)], path).toBe(reached);
    }
  });

  it('every document has an ANY route to discovery', () => {
    for (const [, { path }] of documentRows) expect(routes[`ANY ${path}`], path).toBe('DiscoveryFunction');
  });

  it('[decision 7 #93] what matches no route is answered by discovery, not by the gateway', () => {
    expect(routes.$default).toBe('DiscoveryFunction');
  });

  it('has no route that the contract does not have', () => {
    const paths = [...operationRows.flatMap(([, row]) => pathsOf(row)), ...documentRows.map(([, { path }]) => path)];
    const own = ['/admin', '/admin/{proxy+}', '/api/admin', '/api/admin/{proxy+}'];
    expect(Object.keys(routes).sort()).toEqual(['$default', ...[...paths, ...own].map((path) => `ANY ${path}`)].sort());
    for (const path of own) expect(routes[`ANY ${path}`]).toBe('AdminFunction');
  });

  it('has one integration and one permission per function, whatever the number of routes, and none for mcp', () => {
    const routed = Object.keys(lambdas).filter((name) => name !== 'mcp').length;
    template.resourceCountIs('AWS::ApiGatewayV2::Integration', routed);
    const permissions = resources('AWS::Lambda::Permission').filter(
      ({ Principal }) => Principal === 'apigateway.amazonaws.com',
    );
    // And one of $default, whose ARN is of another form.
    expect(permissions).toHaveLength(routed + 1);
    expect(Object.values(routes)).not.toContain('McpFunction');
  });

  it('[decision 7 #93] answers neither OPTIONS nor too many requests in our place', () => {
    expect(only('AWS::ApiGatewayV2::Api')).not.toHaveProperty('CorsConfiguration');
    const stage = only('AWS::ApiGatewayV2::Stage');
    expect(stage).not.toHaveProperty('DefaultRouteSettings');
    expect(stage).not.toHaveProperty('RouteSettings');
  });
});

describe('the function URL', () => {
  it('is open to CloudFront, which has no signature to give, and answers in one piece', () => {
    const { id: _, ...url } = only('AWS::Lambda::Url');
    // No CORS: the answer to OPTIONS is ours.
    expect(url).toEqual({
      AuthType: 'NONE',
      InvokeMode: 'BUFFERED',
      TargetFunctionArn: { 'Fn::GetAtt': ['McpFunction', 'Arn'] },
    });
  });

  it('may call the MCP server, and nothing but the URL may', () => {
    const own = resources('AWS::Lambda::Permission').filter(({ Principal }) => Principal === '*');
    const FunctionName = { 'Fn::GetAtt': ['McpFunction', 'Arn'] };
    expect(own.map(({ id: _, ...permission }) => permission)).toEqual([
      { Action: 'lambda:InvokeFunctionUrl', FunctionName, FunctionUrlAuthType: 'NONE', Principal: '*' },
      { Action: 'lambda:InvokeFunction', FunctionName, InvokedViaFunctionUrl: true, Principal: '*' },
    ]);
  });
});

describe('the functions', () => {
  it('keep the names that event files and alarms of operators rely on', () => {
    expect(
      resources('AWS::Lambda::Function')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'AdminFunction',
      'DiscoveryFunction',
      'LegacyFunction',
      'McpFunction',
      'OembedFunction',
      'PostsFunction',
      'ProfilesFunction',
      'SearchFunction',
    ]);
  });

  it('run on Node 24 and arm64, or on x86 where asked to', () => {
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    templateOf({ arch: 'x86_64' }).allResourcesProperties('AWS::Lambda::Function', { Architectures: ['x86_64'] });
  });

  interface Statement {
    readonly Action: string | readonly string[];
    readonly Resource: { readonly 'Fn::GetAtt': readonly [table: string, attribute: string] };
    readonly Condition?: object;
  }

  /** What a function may do, less writing its log: action and table, `where` for what is bound to some items. */
  const permissionsOf = (name: string): readonly string[] => {
    const own = resources('AWS::IAM::Policy').filter(({ id }) => id.startsWith(`${name}Role`));
    expect(own).toHaveLength(1);
    const [log, ...rest] = own[0]?.PolicyDocument.Statement ?? [];
    expect(log).toEqual({
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/Logs/), 'Arn'] },
    });
    return rest
      .flatMap(({ Action, Resource, Condition }: Statement) => {
        const [table] = Resource['Fn::GetAtt'];
        const where = Condition === undefined ? '' : ` where ${JSON.stringify(Condition)}`;
        return [Action].flat().map((action) => `${action} ${/^Tables(\w+?)[0-9A-F]{8}$/.exec(table)?.[1]}${where}`);
      })
      .toSorted();
  };

  it('[admin #8] may write their log; those that honour keys may read one and count, the operator’s alone may write keys', () => {
    for (const name of ['posts', 'discovery']) expect(permissionsOf(name)).toEqual([]);
    for (const name of ['profiles', 'search', 'legacy', 'mcp']) {
      expect(permissionsOf(name)).toEqual(['dynamodb:GetItem keys', 'dynamodb:UpdateItem counters']);
    }
    const sessions = ' where {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["session#*"]}}';
    expect(permissionsOf('admin')).toEqual([
      `dynamodb:DeleteItem admin${sessions}`,
      'dynamodb:DeleteItem keys',
      `dynamodb:GetItem admin${sessions}`,
      'dynamodb:PutItem admin',
      'dynamodb:PutItem keys',
      'dynamodb:Query admin',
      'dynamodb:Query counters',
      'dynamodb:Scan keys',
      `dynamodb:UpdateItem admin${sessions}`,
      'dynamodb:UpdateItem counters',
      'dynamodb:UpdateItem keys',
    ]);
    for (const role of resources('AWS::IAM::Role')) expect(role).not.toHaveProperty('ManagedPolicyArns');
  });

  it('answer before CloudFront gives up', () => {
    template.allResourcesProperties('AWS::Lambda::Function', { Timeout: 12 });
    expect(LAMBDA_TIMEOUT_SECONDS).toBeLessThan(ORIGIN_READ_TIMEOUT_SECONDS);
  });

  it('keep their logs for as long as the operator says', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    templateOf({ logRetentionDays: 7 }).allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
  });

  it('know what the operator has set', () => {
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
});

const secretIds = (of: Template, Description: string): string[] =>
  Object.keys(of.findResources('AWS::SecretsManager::Secret', { Properties: { Description } }));

/** Function to its variable of that name, where it has one. */
const variable = (of: Template, name: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(of.findResources('AWS::Lambda::Function')).flatMap(([id, { Properties }]) => {
      const value: unknown = Properties.Environment.Variables[name];
      return value === undefined ? [] : [[id, value]];
    }),
  );

describe('the tables', () => {
  const table = (name: string) => {
    const [own, ...more] = Object.entries(template.findResources('AWS::DynamoDB::Table')).filter(([id]) =>
      id.startsWith(`Tables${name}`),
    );
    expect(more).toEqual([]);
    return own?.[1] ?? {};
  };

  it('are paid per request', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 3);
    template.allResourcesProperties('AWS::DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' });
  });

  it.each(['keys', 'admin'])('%s outlives the stack, and can be had back as it was at any second', (name) => {
    expect(table(name)).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  it('counters go with the stack, and expire by themselves', () => {
    expect(table('counters')).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: { TimeToLiveSpecification: { AttributeName: 'x', Enabled: true } },
    });
  });

  it('are named to those who work with them', () => {
    expect(Object.keys(variable(template, 'KEYS_TABLE')).sort()).toEqual([
      'AdminFunction',
      'LegacyFunction',
      'McpFunction',
      'ProfilesFunction',
      'SearchFunction',
    ]);
    expect(Object.keys(variable(template, 'ADMIN_TABLE'))).toEqual(['AdminFunction']);
  });
});

describe('the secret of cursors', () => {
  it('is made on deployment and known to the functions that answer with lists or know addresses, alone', () => {
    const [id] = secretIds(template, 'Signs the cursors of Postern');
    const reference = { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: id }, ':SecretString:::}}']] };
    expect(variable(template, 'CURSOR_SECRETS')).toEqual({
      ProfilesFunction: reference,
      SearchFunction: reference,
      LegacyFunction: reference,
      McpFunction: reference,
      AdminFunction: reference,
    });
  });

  it('is rotated by raising its version: what the old one signed is still accepted', () => {
    const rotated = templateOf({ cursorSecretVersion: 2 });
    const [first] = secretIds(template, 'Signs the cursors of Postern');
    const [known] = Object.values(variable(rotated, 'CURSOR_SECRETS'));
    const all = secretIds(rotated, 'Signs the cursors of Postern');
    expect(all).toHaveLength(2);
    expect(all).toContain(first);
    // The new one first: that is the one that signs.
    expect(JSON.stringify(known)).toMatch(new RegExp(`${all.find((id) => id !== first)}.*${first}`));
  });
});

describe('the token of the official X API', () => {
  it('is read from the secret that the operator names, by every function that asks providers', () => {
    const paid = templateOf({ providers: 'x_api,fxtwitter', xApiTokenSecret: 'postern/x-api' });
    const token = '{{resolve:secretsmanager:postern/x-api:SecretString:::}}';
    expect(variable(paid, 'X_API_BEARER_TOKEN')).toEqual({
      PostsFunction: token,
      OembedFunction: token,
      ProfilesFunction: token,
      SearchFunction: token,
      LegacyFunction: token,
      McpFunction: token,
    });
    expect(variable(template, 'X_API_BEARER_TOKEN')).toMatchObject({ PostsFunction: '' });
  });

  it('must be named where the provider is wanted', () => {
    expect(() => readConfig({ providers: 'x_api' })).toThrow(/^providers names x_api, which needs xApiTokenSecret$/);
    expect(() => readConfig({ providers: 'x_api', xApiTokenSecret: 'a b' })).toThrow(/^xApiTokenSecret must be/);
  });
});

describe('the origin secret', () => {
  const secretsOf = (of: Template): string => JSON.stringify(of.findResources('AWS::Lambda::Function'));

  it('is made on deployment, sent by CloudFront and known to every function', () => {
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

  it('is rotated by raising its version: functions accept the old one too, before CloudFront changes over', () => {
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

  it('can be passed by the deployer instead, and is not shown', () => {
    const passed = templateOf({ originSecret: 'parameter' });
    expect(secretIds(passed, 'x-origin-secret of Postern')).toEqual([]);
    passed.hasParameter('OriginSecret', { NoEcho: true });
    passed.hasParameter('PreviousOriginSecret', { NoEcho: true, Default: '' });
    passed.allResourcesProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          ORIGIN_SECRETS: { 'Fn::Join': [',', [{ Ref: 'OriginSecret' }, { Ref: 'PreviousOriginSecret' }]] },
        },
      },
    });
  });
});

describe('CloudFront', () => {
  const { DistributionConfig: config } = only('AWS::CloudFront::Distribution');
  const behaviors = [...config.CacheBehaviors, config.DefaultCacheBehavior];
  const isPrivate = ({ PathPattern }: { readonly PathPattern?: string }): boolean =>
    /admin|^\/mcp$/.test(PathPattern ?? '');
  const publicOnes = behaviors.filter((behavior) => !isPrivate(behavior));
  const cachePolicies = new Map(
    resources('AWS::CloudFront::CachePolicy').map(({ id, CachePolicyConfig }) => [id, CachePolicyConfig]),
  );
  const cacheHeaders = (behavior: { readonly CachePolicyId: { readonly Ref: string } }): readonly string[] =>
    cachePolicies.get(behavior.CachePolicyId.Ref).ParametersInCacheKeyAndForwardedToOrigin.HeadersConfig.Headers;
  /** CloudFront takes the first behavior that matches. */
  const behaviorOf = (path: string) =>
    config.CacheBehaviors.find(({ PathPattern }: { readonly PathPattern: string }) =>
      matchesPattern(PathPattern, path),
    ) ?? config.DefaultCacheBehavior;

  it('knows the routes that ignore the key or are deprecated, in order of precedence', () => {
    expect(additionalBehaviors().map(({ pattern }) => pattern)).toEqual([
      '/mcp',
      '/admin*',
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
      '/api/v1/profiles/*/followers',
      '/*/followers',
      '/api/v1/profiles/*/following',
      '/*/following',
      '/*/status/*',
      '/.well-known/*',
      '/mcp/*',
      '/docs/*',
      '/assets/*',
    ]);
    // The quota where nobody has asked for more is 25, with the default behavior.
    expect(additionalBehaviors().length).toBeLessThan(25);
    expect(config.CacheBehaviors.map(({ PathPattern }: { readonly PathPattern: string }) => PathPattern)).toEqual(
      additionalBehaviors().map(({ pattern }) => pattern),
    );
  });

  // `status` is a possible handle, and `*` matches slashes: /api/v1/{...}/status/{...} must not lose its key.
  it.each(['jack', 'status', 'docs', 'api'])(
    'a route sees Authorization exactly if it honours the key, with %s in every variable',
    (word) => {
      for (const [id, operation] of operationRows) {
        const honoured = useCasesOf(operation).some((name) => {
          const read: UseCase = useCases[name];
          return read.apiKey === 'honoured';
        });
        for (const path of pathsOf(operation)) {
          if (path.startsWith('/{handle}') && isReserved(word)) continue; // no such route
          const headers = cacheHeaders(behaviorOf(path.replaceAll(/\{[^}]+\}/g, word)));
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

  it('[decision 7 #24] lets all methods through, everywhere', () => {
    for (const { AllowedMethods } of behaviors) {
      expect([...AllowedMethods].sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
    }
  });

  it('[decision 7 #59] keeps no error longer than the answer says', () => {
    expect(config.CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    );
  });

  it('leaves lifetimes to the answers, and can keep them apart', () => {
    expect(cachePolicies.size).toBe(2);
    for (const {
      MinTTL,
      DefaultTTL,
      MaxTTL,
      ParametersInCacheKeyAndForwardedToOrigin: key,
    } of cachePolicies.values()) {
      expect({ MinTTL, DefaultTTL }).toEqual({ MinTTL: 0, DefaultTTL: 0 });
      // With a maximum of 0 CloudFront refuses a policy that lists headers, but only on deployment.
      expect(MaxTTL).toBeGreaterThan(0);
      expect(key.HeadersConfig.Headers.length).toBeLessThanOrEqual(10);
      expect(key.HeadersConfig.Headers).toContain('Accept');
      expect(key.QueryStringsConfig).toEqual({ QueryStringBehavior: 'all' });
      expect(key.CookiesConfig).toEqual({ CookieBehavior: 'none' });
      // Both: the function then sees `br,gzip`, `gzip`, `br` or nothing, and each is a key.
      expect(key).toMatchObject({ EnableAcceptEncodingBrotli: true, EnableAcceptEncodingGzip: true });
    }
  });

  it('adds to a request only who asks and under which name; neither Host nor Authorization', () => {
    const policy = only('AWS::CloudFront::OriginRequestPolicy');
    expect(policy.OriginRequestPolicyConfig.HeadersConfig).toEqual({
      HeaderBehavior: 'whitelist',
      Headers: ['x-viewer-ip', 'x-viewer-host'],
    });
    for (const { OriginRequestPolicyId } of publicOnes) expect(OriginRequestPolicyId).toEqual({ Ref: policy.id });
    for (const behavior of publicOnes) expect(cacheHeaders(behavior)).not.toContain('Host');
  });

  it('[admin #7] keeps nothing of the operator’s and of MCP, passes on all but Host, and adds no header to answers', () => {
    const [CACHING_DISABLED, ALL_VIEWER_EXCEPT_HOST_HEADER] = [
      '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    ];
    const own = behaviors.filter(isPrivate);
    expect(own.map(({ PathPattern }) => PathPattern)).toEqual(['/mcp', '/admin*', '/api/admin/*']);
    for (const behavior of own) {
      expect(behavior).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST_HEADER,
      });
      expect(behavior).not.toHaveProperty('ResponseHeadersPolicyId');
    }
  });

  it('asks over TLS and waits 15 s', () => {
    expect(config.Origins).toHaveLength(2);
    for (const { CustomOriginConfig } of config.Origins) {
      expect(CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginReadTimeout: 15 });
    }
  });

  it('asks the function URL for exactly /mcp, and the HTTP API for everything else', () => {
    const url = only('AWS::Lambda::Url');
    const originOf = (path: string): unknown => {
      const { TargetOriginId } = behaviorOf(path);
      return config.Origins.find(({ Id }: { readonly Id: string }) => Id === TargetOriginId)?.DomainName;
    };
    expect(originOf('/mcp')).toEqual({
      'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': [url.id, 'FunctionUrl'] }] }],
    });
    const api = originOf('/no/where');
    expect(JSON.stringify(api)).toContain('.execute-api.');
    for (const path of ['/mcp/', '/mcp/server-card', '/MCP', '/admin', '/', '/jack'])
      expect(originOf(path)).toEqual(api);
  });

  it('speaks HTTP/2 and 3, and moves http to https', () => {
    expect(config.HttpVersion).toBe('http2and3');
    for (const { ViewerProtocolPolicy } of behaviors) expect(ViewerProtocolPolicy).toBe('redirect-to-https');
  });

  it('runs the edge function, as built, on every request', () => {
    const edge = only('AWS::CloudFront::Function');
    expect(edge.FunctionCode).toBe(readFileSync(join(dist, 'edge', 'viewer-request.js'), 'utf8'));
    expect(Buffer.byteLength(edge.FunctionCode)).toBeLessThan(10_240);
    expect(edge.FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    for (const { FunctionAssociations } of behaviors) {
      expect(FunctionAssociations).toEqual([
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [edge.id, 'FunctionARN'] } },
      ]);
    }
  });

  const responsePolicies = new Map(
    resources('AWS::CloudFront::ResponseHeadersPolicy').map((row) => [row.id, row.ResponseHeadersPolicyConfig]),
  );
  const responsePolicyOf = (path: string) => responsePolicies.get(behaviorOf(path).ResponseHeadersPolicyId.Ref);

  it('[decision 7 #91] answers that AWS makes can be read by a page on another origin, and on the alias say when it ends', () => {
    for (const path of ['/api/v1/posts', '/jack/status/20', '/api', '/no-where']) {
      const { CorsConfig, CustomHeadersConfig } = responsePolicyOf(path);
      expect(CorsConfig.AccessControlAllowOrigins.Items).toEqual(['*']);
      expect(CorsConfig.AccessControlExposeHeaders.Items).toEqual(
        expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
      );
      expect(CustomHeadersConfig).toBeUndefined();
    }
    // Without a base address that is known at synthesis there is nothing to link to.
    for (const path of ['/api/convert', '/api/browse']) {
      expect(responsePolicyOf(path).CustomHeadersConfig.Items).toEqual([
        { Header: 'Deprecation', Override: false, Value: '@1789430400' },
        { Header: 'Sunset', Override: false, Value: 'Wed, 15 Sep 2027 00:00:00 GMT' },
      ]);
    }
  });

  it('[decision 7 #91][decision 7 #92] and lead to the page about it, where the base address is known', () => {
    const known = templateOf({ baseUrl: 'https://posts.example.org' });
    const links = Object.values(known.findResources('AWS::CloudFront::ResponseHeadersPolicy')).flatMap(
      ({ Properties }) =>
        (Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items ?? []).filter(
          ({ Header }: { readonly Header: string }) => Header === 'Link',
        ),
    );
    const page = '<https://posts.example.org/docs/versioning>';
    const Value = `${page}; rel="deprecation"; type="text/html", ${page}; rel="sunset"; type="text/html"`;
    // One policy for each alias, and no second Link line beside that of a function.
    expect(links).toEqual(Array.from({ length: 2 }, () => ({ Header: 'Link', Override: false, Value })));
  });

  it('[decision 7 #92] never replaces a header of ours, and relies on no function for answers', () => {
    for (const { CorsConfig, CustomHeadersConfig } of responsePolicies.values()) {
      expect(CorsConfig.OriginOverride).toBe(false);
      for (const { Override } of CustomHeadersConfig?.Items ?? []) expect(Override).toBe(false);
    }
    expect(JSON.stringify(template.toJSON())).not.toContain('viewer-response');
  });

  it('has the domain name that it is given', () => {
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

describe('the build', () => {
  it('must be there', () => {
    expect(() => createStack({}, join(dist, 'nowhere'))).toThrow(
      new SetupError('dist has no functions/posts/index.cjs: run npm run build first'),
    );
  });
});

/** What AwsSolutions would have us add, and why we do not. */
const acknowledged = {
  'AwsSolutions::AwsSolutions-APIG4':
    'Everyone may read. Keys only raise an allowance and are checked by the functions.',
  'AwsSolutions::AwsSolutions-APIG1': 'Each function logs every request that it answers.',
  'AwsSolutions::AwsSolutions-CFR1': 'The service is open to every country.',
  'AwsSolutions::AwsSolutions-CFR2': "A firewall is the operator's choice: it costs more than the service.",
  'AwsSolutions::AwsSolutions-CFR3': "Logs of every visitor's address are the operator's choice.",
  'AwsSolutions::AwsSolutions-CFR4': 'Without a domain name of its own CloudFront lets nobody choose the TLS version.',
  'AwsSolutions::AwsSolutions-SMG4':
    'CloudFront and the functions read the secret on deployment, so that is when it rotates.',
};

describe('AwsSolutions', () => {
  it('finds nothing that we have not thought about', () => {
    const stack = createStack();
    Validations.of(stack).addPlugins(new AwsSolutionsChecks(stack));
    for (const [id, reason] of Object.entries(acknowledged)) Validations.of(stack).acknowledge({ id, reason });
    expect(() => synthesize(stack)).not.toThrow();
  });
});
