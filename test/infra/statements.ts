import { ADMIN_PREFIXES } from '../../shared/contract/admin-operations.ts';
import { documentRows } from '../../shared/contract/documents.ts';
import { operationRows, pathsOf } from '../../shared/contract/operations.ts';
import { MEDIA_PATTERN, MEDIA_STREAM_PATTERN } from '../../shared/contract/other-functions.ts';
import { matchesTemplate, routeKey } from '../../shared/contract/paths.ts';
import { gatewayRows } from '../../shared/contract/routes.ts';
import { faultsOf, rolePolicy } from './evaluation/judge.ts';
import { evaluate } from './evaluation/policy.ts';
import { type Fields, fieldsOf, isFields, listOf, readTemplate, type Template, textOf } from './evaluation/template.ts';

/** A template as `cdk synth` writes it. */
export interface Synthesized {
  readonly json: Fields;
  readonly region: string;
}

type Check = (template: Template, synthesized: Synthesized) => readonly string[];

const functionId = (lambda: string): string => `${lambda.charAt(0).toUpperCase()}${lambda.slice(1)}Function`;

/** The functions that answer requests; others, such as a scheduled one, have no origin secret. */
const surfaces = (template: Template) =>
  template.resources('AWS::Lambda::Function').flatMap(({ id, properties }) => {
    const { Variables } = isFields(properties['Environment']) ? properties['Environment'] : {};
    const variables = isFields(Variables) ? Variables : {};
    return 'ORIGIN_SECRETS' in variables ? [{ id, variables }] : [];
  });

/** The function of a route key. */
const targetOf = (template: Template, key: string): string | undefined => {
  const route = template.resources('AWS::ApiGatewayV2::Route').find(({ properties }) => properties['RouteKey'] === key);
  const [, integration = ''] = /^integrations\/(.+)$/.exec(String(route?.properties['Target'])) ?? [];
  if (integration === '') return undefined;
  return /:function:([^:]+)/.exec(textOf(template.resource(integration).properties['IntegrationUri']))?.[1];
};

const keysOf = (template: Template): readonly string[] =>
  template.resources('AWS::ApiGatewayV2::Route').map(({ properties }) => textOf(properties['RouteKey']));

/** The route of a path without variables: a full match comes first, then routes with variables, then `$default`. */
const routeOf = (template: Template, path: string): string => {
  const matching = keysOf(template).filter((key) =>
    matchesTemplate(key.replace(/^ANY /, '').split('/'), path.split('/')),
  );
  return matching.find((key) => key === routeKey(path)) ?? matching[0] ?? '$default';
};

const documentsReachDiscovery: Check = (template) =>
  documentRows.flatMap(([, { path }]) => {
    const target = targetOf(template, routeOf(template, path));
    return target === functionId('discovery') ? [] : [`${path} leads to ${target}`];
  });

/** Each route delays every deployment, and the API has a quota of them. */
const noRouteRepeatsDefault: Check = (template) =>
  documentRows.flatMap(([, { path }]) => {
    const others = keysOf(template).filter((key) => key !== routeKey(path));
    const isTaken = others.some((key) => matchesTemplate(key.replace(/^ANY /, '').split('/'), path.split('/')));
    return !isTaken && keysOf(template).includes(routeKey(path)) ? [`the route of ${path} repeats $default`] : [];
  });

const headReachesFunctions: Check = (template) =>
  [
    ...operationRows.flatMap(([, row]) => pathsOf(row).map((path) => [path, row.lambda])),
    ...ADMIN_PREFIXES.flatMap((prefix) => [prefix, `${prefix}/{proxy+}`]).map((path) => [path, 'admin']),
  ].flatMap(([path = '', lambda = '']) => {
    const target = targetOf(template, routeKey(path));
    return target === functionId(lambda) ? [] : [`ANY ${path} leads to ${target}`];
  });

interface Behavior {
  readonly pattern: string;
  readonly fields: Fields;
}

const distribution = (template: Template): Fields => {
  const [found, ...more] = template.resources('AWS::CloudFront::Distribution');
  if (found === undefined || more.length > 0) throw new Error('there is not one distribution');
  return fieldsOf(found.properties['DistributionConfig']);
};

const behaviors = (template: Template): readonly Behavior[] => {
  const { CacheBehaviors, DefaultCacheBehavior } = distribution(template);
  return [...listOf(CacheBehaviors).map(fieldsOf), { ...fieldsOf(DefaultCacheBehavior), PathPattern: '*' }].map(
    (fields) => ({ pattern: textOf(Reflect.get(fields, 'PathPattern')), fields }),
  );
};

const everyBehavior =
  (fault: (behavior: Behavior, template: Template) => string | undefined): Check =>
  (template) =>
    behaviors(template).flatMap((behavior) => {
      const found = fault(behavior, template);
      return found === undefined ? [] : [`${behavior.pattern}: ${found}`];
    });

const passesFiles = ({ pattern }: { readonly pattern: string }): boolean =>
  pattern === MEDIA_PATTERN || pattern === MEDIA_STREAM_PATTERN;

/** The files of the media functions are no answers of the API. */
const everyBehaviorOfAnswers: typeof everyBehavior = (fault) =>
  everyBehavior((behavior, template) => (passesFiles(behavior) ? undefined : fault(behavior, template)));

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

const forwardsEveryMethod = everyBehavior(({ fields }) => {
  const methods = listOf(fields['AllowedMethods']).map(textOf).toSorted();
  return methods.join() === METHODS.join() ? undefined : `allows only ${methods.join(', ')}`;
});

/** Policies by the value of `Ref`, which is their logical id. */
const policy = (template: Template, type: string, config: string, id: unknown): Fields | undefined => {
  const found = template.resources(type).find((row) => row.id === id);
  return found && fieldsOf(found.properties[config]);
};

/** Undefined: a managed policy of AWS, which here always is CachingDisabled. */
const cachePolicy = (template: Template, { fields }: Behavior): Fields | undefined =>
  policy(template, 'AWS::CloudFront::CachePolicy', 'CachePolicyConfig', fields['CachePolicyId']);

const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

const keyOf = (cache: Fields): Fields => fieldsOf(cache['ParametersInCacheKeyAndForwardedToOrigin']);

const keyHeaders = (cache: Fields): readonly string[] =>
  listOf(fieldsOf(keyOf(cache)['HeadersConfig'])['Headers']).map(textOf);

const READS_KEYS = ['dynamodb:GetItem'];

/** Every function reads keys from the one table that the admin function writes, without a copy in between. */
const keysAreReadFromTheirTable: Check = (template) => {
  const withKeys = surfaces(template).filter(({ variables }) => 'KEYS_TABLE' in variables);
  const names = new Set(withKeys.map(({ variables }) => textOf(variables['KEYS_TABLE'])));
  if (names.size !== 1) return [`functions use the tables ${[...names].join(', ')}`];
  return withKeys.flatMap(({ id, variables }) => {
    const actions = id === 'AdminFunction' ? ['dynamodb:UpdateItem', 'dynamodb:DeleteItem'] : READS_KEYS;
    const statements = rolePolicy(template, id);
    const [table] = statements
      .flatMap(({ resources }) => resources)
      .filter((resource) => resource.endsWith(`:table/${textOf(variables['KEYS_TABLE'])}`));
    if (table === undefined) return [`${id} has no permission on the table of keys`];
    return actions
      .filter((action) => evaluate(statements, { principal: { role: id }, action, resource: table }) !== 'allowed')
      .map((action) => `${id} may not ${action}`);
  });
};

/** With a minimum above 0, CloudFront ignores private and no-store; with a default, it keeps answers without a lifetime. */
const answersDecideTheLifetime: Check = (template) =>
  template.resources('AWS::CloudFront::CachePolicy').flatMap(({ id, properties }) => {
    const { MinTTL, DefaultTTL } = fieldsOf(properties['CachePolicyConfig']);
    return MinTTL === 0 && DefaultTTL === 0 ? [] : [`${id} keeps answers for ${MinTTL} or ${DefaultTTL} s`];
  });

/** The errors that CloudFront would keep for 10 s (Developer Guide, "How CloudFront caches HTTP 4xx and 5xx"). */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

const errorsAreNotKept: Check = (template) => {
  const responses = listOf(distribution(template)['CustomErrorResponses']).map(fieldsOf);
  return [
    ...CACHED_ERRORS.filter((code) => !responses.some(({ ErrorCode }) => ErrorCode === code)).map(
      (code) => `${code} is kept for 10 s`,
    ),
    ...responses.flatMap(({ ErrorCode, ErrorCachingMinTTL, ResponsePagePath }) => [
      ...(ErrorCachingMinTTL === 0 ? [] : [`${ErrorCode} is kept for ${ErrorCachingMinTTL} s`]),
      ...(ResponsePagePath === undefined ? [] : [`${ErrorCode} is replaced by a page`]),
    ]),
  ];
};

const runsTheEdgeFunction = everyBehaviorOfAnswers(({ fields }, template) => {
  const associations = listOf(fields['FunctionAssociations']).map(fieldsOf);
  const edges = template.resources('AWS::CloudFront::Function').map(({ id }) => `:function/${id}`);
  const isEdge = ({ EventType, FunctionARN }: Fields): boolean =>
    EventType === 'viewer-request' && edges.some((edge) => textOf(FunctionARN).endsWith(edge));
  return associations.some(isEdge) ? undefined : 'the query is not normalized';
});

const queryIsInTheKey = everyBehaviorOfAnswers((behavior, template) => {
  const cache = cachePolicy(template, behavior);
  if (cache === undefined)
    return behavior.fields['CachePolicyId'] === CACHING_DISABLED ? undefined : 'its cache policy is unknown';
  const { QueryStringBehavior } = fieldsOf(keyOf(cache)['QueryStringsConfig']);
  return QueryStringBehavior === 'all' ? undefined : `the cache key has ${QueryStringBehavior} of the query`;
});

const keyOfFilesIsTheirAddress: Check = (template) =>
  behaviors(template)
    .filter(passesFiles)
    .flatMap((behavior) => {
      const cache = cachePolicy(template, behavior);
      const names = cache && listOf(fieldsOf(keyOf(cache)['QueryStringsConfig'])['QueryStrings']).map(textOf);
      return names?.toSorted().join() === 'format,name,tag' && keyHeaders(cache ?? {}).length === 0
        ? []
        : [`${behavior.pattern}: the cache key has ${names}`];
    });

/** A second origin would answer for the first one, and hide its error. */
const noOriginReplacesAnother: Check = (template) =>
  listOf(fieldsOf(distribution(template)['OriginGroups'] ?? {})['Items']).map(() => 'an origin group hides errors');

const EXPOSED = ['Deprecation', 'Sunset', 'Link'];
const PRIVATE = /admin|^\/mcp\/?$/;

const platformAnswersAreReadable = everyBehaviorOfAnswers(({ pattern, fields }, template) => {
  if (PRIVATE.test(pattern)) return undefined;
  const headers = policy(
    template,
    'AWS::CloudFront::ResponseHeadersPolicy',
    'ResponseHeadersPolicyConfig',
    fields['ResponseHeadersPolicyId'],
  );
  const cors = headers?.['CorsConfig'];
  if (!isFields(cors)) return 'answers of the platform have no CORS';
  const origins = listOf(fieldsOf(cors['AccessControlAllowOrigins'])['Items']);
  if (origins.join() !== '*') return `only ${origins.join(', ')} may read answers of the platform`;
  const exposed = listOf(fieldsOf(cors['AccessControlExposeHeaders'])['Items']);
  const hidden = EXPOSED.filter((name) => !exposed.includes(name));
  return hidden.length === 0 ? undefined : `answers of the platform hide ${hidden.join(', ')}`;
});

const nothingOverrides: Check = (template) => {
  const policies = template
    .resources('AWS::CloudFront::ResponseHeadersPolicy')
    .map(({ id, properties }) => ({ id, config: fieldsOf(properties['ResponseHeadersPolicyConfig']) }));
  return [
    ...policies.flatMap(({ id, config: { CorsConfig, CustomHeadersConfig } }) => [
      ...(isFields(CorsConfig) && CorsConfig['OriginOverride'] !== false ? [`${id} overrides CORS`] : []),
      ...listOf(isFields(CustomHeadersConfig) ? CustomHeadersConfig['Items'] : undefined)
        .map(fieldsOf)
        .flatMap(({ Header, Override }) => (Override === false ? [] : [`${id} overrides ${Header}`])),
    ]),
    ...behaviors(template).flatMap(({ pattern, fields }) =>
      listOf(fields['FunctionAssociations'])
        .map(fieldsOf)
        .flatMap(({ EventType }) => (EventType === 'viewer-response' ? [`${pattern} changes answers`] : [])),
    ),
  ];
};

const gatewayAnswersNothing: Check = (template) => [
  ...(targetOf(template, '$default') === 'DiscoveryFunction' ? [] : ['unknown paths do not lead to discovery']),
  ...template
    .resources('AWS::ApiGatewayV2::Api')
    .flatMap(({ properties }) => ('CorsConfiguration' in properties ? ['API Gateway answers OPTIONS'] : [])),
  ...template
    .resources('AWS::Lambda::Url')
    .flatMap(({ properties }) => ('Cors' in properties ? ['the function URL answers OPTIONS'] : [])),
];

/** The local service has the routes of the same table. */
const routesAreThoseOfTheContract: Check = (template) => {
  const deployed = keysOf(template);
  const wanted = [...gatewayRows.map(({ path }) => `ANY ${path}`), '$default'];
  return [
    ...wanted.filter((key) => !deployed.includes(key)).map((key) => `${key} is missing`),
    ...deployed.filter((key) => !wanted.includes(key)).map((key) => `${key} is not in the contract`),
  ];
};

/** A statement with them concerns all principals, actions or resources but some, so it has no bound. */
const NEGATIONS = /"(Not(?:Principal|Action|Resource))":/g;

const negations: Check = (_, { json }) =>
  Object.entries(fieldsOf(json['Resources'])).flatMap(([id, resource]) =>
    [...JSON.stringify(resource).matchAll(NEGATIONS)].map(([, name]) => `a policy of ${id} has ${name}`),
  );

const onlyRequiredCallsAreAllowed: Check = (template, { json, region }) => [
  ...faultsOf(json, region),
  ...surfaces(template).flatMap(({ id }) =>
    rolePolicy(template, id)
      .filter(({ actions, resources }) => actions.some((name) => name.includes('*')) || resources.includes('*'))
      .map(({ actions }) => `${id} may ${actions.join(', ')} without a bound`),
  ),
];

const both =
  (...checks: readonly Check[]): Check =>
  (template, synthesized) =>
    checks.flatMap((check) => check(template, synthesized));

const checks = {
  'methods 2': headReachesFunctions,
  'methods 4': forwardsEveryMethod,
  'keys 7': keysAreReadFromTheirTable,
  'caching 1': answersDecideTheLifetime,
  'caching 3': errorsAreNotKept,
  'caching 7': both(runsTheEdgeFunction, queryIsInTheKey, keyOfFilesIsTheirAddress),
  'caching 23': both(documentsReachDiscovery, noRouteRepeatsDefault),
  'caching 9': both(answersDecideTheLifetime, noOriginReplacesAnother),
  'platform 1': platformAnswersAreReadable,
  'platform 2': nothingOverrides,
  'platform 3': gatewayAnswersNothing,
  'platform 4': routesAreThoseOfTheContract,
  'platform 5': both(negations, onlyRequiredCallsAreAllowed),
} as const satisfies Readonly<Record<string, Check>>;

/** The statements with their faults. */
export const statementFaults = (synthesized: Synthesized): ReadonlyMap<string, readonly string[]> => {
  const template = readTemplate(synthesized.json, synthesized.region);
  return new Map(Object.entries(checks).map(([statement, check]) => [statement, check(template, synthesized)]));
};

export const statements = Object.keys(checks);
