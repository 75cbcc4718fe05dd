// CloudFront before the HTTP API (decisions 7). Two kinds of behaviour, derived from the contract: routes that ignore
// the key neither cache by nor forward Authorization; all others keep every key's answers apart.
import { join } from 'node:path';
import { Duration, Names, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Construct } from 'constructs';
import { MAX_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import { COMMON_HEADERS, EDGE_HEADERS, EXPOSED_HEADERS, PREFLIGHT_HEADERS } from '../../shared/contract/headers.ts';
import {
  deprecationField,
  type Lifecycle,
  type LifecycleName,
  lifecycles,
  sunsetField,
} from '../../shared/contract/lifecycle.ts';
import {
  documentRows,
  type Operation,
  operationRows,
  pathsOf,
  type Read,
  reads,
  readsOf,
} from '../../shared/contract/operations.ts';
import type { Config } from '../config.ts';
import type { OriginSecret } from './origin-secret.ts';

/** Above the functions' own limit, so that they answer first. */
export const ORIGIN_READ_TIMEOUT_SECONDS = 15;

// CloudFront keeps these for 10 s whatever `no-store` says. 401 and 429 cannot be listed and are never kept.
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

interface Behaviour {
  readonly pattern: string;
  readonly key: Read['key'];
  readonly lifecycle?: LifecycleName | undefined;
}

const honoursKey = (operation: Operation): boolean =>
  readsOf(operation).some((name) => {
    const read: Read = reads[name];
    return read.key === 'honoured';
  });

const patternOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '*');

/** CloudFront's `*` matches slashes as well. */
export const matchesPattern = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path);

const operationPaths = operationRows.flatMap(([, operation]) => pathsOf(operation));

/** A folder of documents is one behaviour, unless operations live in it. */
const documentPattern = (path: string): string => {
  const folder = /^\/[^/]+\/(?=.)/.exec(path)?.[0];
  return folder === undefined || operationPaths.some((other) => other.startsWith(folder)) ? path : `${folder}*`;
};

/**
 * What the default behaviour does not suit, in CloudFront's order of precedence: whole paths before wildcards, none
 * that an earlier one covers.
 */
export const specialBehaviours = (): readonly Behaviour[] => {
  const all: readonly Behaviour[] = [
    ...operationRows.flatMap(([, operation]) =>
      pathsOf(operation).map(
        (path): Behaviour => ({
          pattern: patternOf(path),
          key: honoursKey(operation) ? 'honoured' : 'ignored',
          lifecycle: operation.lifecycle,
        }),
      ),
    ),
    ...documentRows.map(([, { path }]): Behaviour => ({ pattern: documentPattern(path), key: 'ignored' })),
  ];
  const special = all.filter(({ key, lifecycle }) => key === 'ignored' || lifecycle !== undefined);
  const isWild = ({ pattern }: Behaviour): boolean => pattern.includes('*');
  return [...special.filter((row) => !isWild(row)), ...special.filter(isWild)].filter(
    ({ pattern }, index, rows) => !rows.slice(0, index).some((earlier) => matchesPattern(earlier.pattern, pattern)),
  );
};

export interface DistributionProps {
  readonly api: HttpApi;
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
  readonly originSecret: OriginSecret;
}

export class Distribution extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, { api, config, dist, originSecret }: DistributionProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);

    const edge = new cloudfront.Function(this, 'ViewerRequest', {
      code: cloudfront.FunctionCode.fromFile({ filePath: join(dist, 'edge', 'viewer-request.js') }),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      comment: 'Folds Accept and the query, tells who asks and under which name',
    });
    const common = {
      origin: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, {
        customHeaders: { [EDGE_HEADERS.originSecret]: originSecret.current },
        readTimeout: Duration.seconds(ORIGIN_READ_TIMEOUT_SECONDS),
        keepaliveTimeout: Duration.seconds(60),
      }),
      // Added to what the cache policy forwards. Host must not be: API Gateway refuses a foreign one.
      originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'Viewer', {
        originRequestPolicyName: this.#policyName('Viewer'),
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(
          EDGE_HEADERS.viewerIp,
          EDGE_HEADERS.viewerHost,
        ),
      }),
      // 405 and the answer to OPTIONS are ours; with fewer methods CloudFront would say 403 in HTML.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: edge, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }],
    };
    const cachePolicies = {
      ignored: this.#cachePolicy('Keyless', 'Accept'),
      honoured: this.#cachePolicy('Keyed', 'Accept', 'Authorization'),
    };
    const plain = this.#responseHeaders('Answers');
    const deprecated = new Map(
      Object.entries(lifecycles).map(([name, row]) => [name, this.#responseHeaders(`Deprecated-${name}`, row)]),
    );

    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'Postern',
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      defaultBehavior: { ...common, cachePolicy: cachePolicies.honoured, responseHeadersPolicy: plain },
      additionalBehaviors: Object.fromEntries(
        specialBehaviours().map(({ pattern, key, lifecycle }) => [
          pattern,
          {
            ...common,
            cachePolicy: cachePolicies[key],
            responseHeadersPolicy: (lifecycle && deprecated.get(lifecycle)) ?? plain,
          },
        ]),
      ),
      // No pages: they would take the place of our problem documents.
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(config.domainName !== undefined &&
        config.certificateArn !== undefined && {
          domainNames: [config.domainName],
          certificate: Certificate.fromCertificateArn(this, 'Certificate', config.certificateArn),
        }),
    });
  }

  /** Policies belong to the account, not to a region: a stack in another region needs names of its own. */
  #policyName(id: string): string {
    return `${Names.uniqueId(this)}-${id}-${Stack.of(this).region}`;
  }

  /** Lifetimes are the answers' own (Cache-Control): without a minimum of 0, `private` and `no-store` would be overruled. */
  #cachePolicy(id: string, ...headers: readonly string[]): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, id, {
      cachePolicyName: this.#policyName(id),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(MAX_CACHE_TTL_SECONDS),
      headerBehavior: cloudfront.CacheHeaderBehavior.allowList(...headers),
      // The edge function has dropped the names that nobody reads.
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }

  /**
   * For answers that the gateway or CloudFront made up. Ours have these headers already, and keep them.
   * Link stays out: its addresses are known per request.
   */
  #responseHeaders(id: string, row?: Lifecycle): cloudfront.ResponseHeadersPolicy {
    const listed = (header: string): string[] => (PREFLIGHT_HEADERS[header] ?? '').split(', ');
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.#policyName(id),
      corsBehavior: {
        accessControlAllowOrigins: [COMMON_HEADERS['Access-Control-Allow-Origin'] ?? '*'],
        accessControlAllowMethods: listed('Access-Control-Allow-Methods'),
        accessControlAllowHeaders: listed('Access-Control-Allow-Headers'),
        accessControlExposeHeaders: EXPOSED_HEADERS.split(', '),
        accessControlMaxAge: Duration.seconds(Number(PREFLIGHT_HEADERS['Access-Control-Max-Age'])),
        accessControlAllowCredentials: false,
        originOverride: false,
      },
      ...(row !== undefined && {
        customHeadersBehavior: {
          customHeaders: [
            { header: 'Deprecation', value: deprecationField(row), override: false },
            { header: 'Sunset', value: sunsetField(row), override: false },
          ],
        },
      }),
    });
  }
}
