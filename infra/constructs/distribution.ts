// CloudFront before the HTTP API and the MCP endpoint: the edge function, and behaviors as cache-behaviors.ts has them.
import { Duration, Names, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IFunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { MAX_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import { EDGE_HEADERS, EXPOSED_HEADERS, PREFLIGHT_HEADERS, PUBLIC_HEADERS } from '../../shared/contract/headers.ts';
import {
  deprecationField,
  type Lifecycle,
  lifecycleLinks,
  lifecycles,
  sunsetField,
} from '../../shared/contract/lifecycle.ts';
import { edgeFile } from '../build/dist-layout.ts';
import { additionalBehaviors, CACHE_KEY_HEADERS, DEFAULT_ORIGIN, FORWARDED_HEADERS } from '../cache-behaviors.ts';
import type { Config } from '../config.ts';
import type { OriginSecret } from './origin-secret.ts';

/** Above the functions' own limit, so that they answer first. */
export const ORIGIN_READ_TIMEOUT_SECONDS = 15;

// CloudFront keeps these for 10 s whatever `no-store` says. 401 and 429 cannot be listed and are never kept.
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Without the successor, which depends on the request. */
const lifecycleFields = (row: Lifecycle, baseUrl: string | undefined): Readonly<Record<string, string>> => ({
  Deprecation: deprecationField(row),
  Sunset: sunsetField(row),
  ...(baseUrl !== undefined && { Link: lifecycleLinks(baseUrl).join(', ') }),
});

export interface DistributionProps {
  readonly api: HttpApi;
  readonly mcp: IFunctionUrl;
  readonly config: Config;
  /** What `npm run build` made. */
  readonly dist: string;
  readonly originSecret: OriginSecret;
}

export class Distribution extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, { api, mcp, config, dist, originSecret }: DistributionProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);

    const edge = new cloudfront.Function(this, 'ViewerRequest', {
      code: cloudfront.FunctionCode.fromFile({ filePath: edgeFile(dist) }),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      comment: 'Folds Accept and the query, tells who asks and under which name',
    });
    const connection = {
      customHeaders: { [EDGE_HEADERS.originSecret]: originSecret.current },
      readTimeout: Duration.seconds(ORIGIN_READ_TIMEOUT_SECONDS),
      keepaliveTimeout: Duration.seconds(60),
    };
    // Without origin access control: its signature would overwrite Authorization, and ask clients for a hash of the body.
    const origins = {
      api: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, connection),
      mcp: new FunctionUrlOrigin(mcp, connection),
    };
    const common = {
      origin: origins.api,
      // Added to what the cache policy forwards. Host must not be: both origins refuse a foreign one.
      originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'Viewer', {
        originRequestPolicyName: this.#policyName('Viewer'),
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(...FORWARDED_HEADERS),
      }),
      // 405 and the answer to OPTIONS are ours; with fewer methods CloudFront would say 403 in HTML.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      functionAssociations: [{ function: edge, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }],
    };
    const cachePolicies = {
      ignored: this.#cachePolicy('Keyless', CACHE_KEY_HEADERS.ignored),
      honoured: this.#cachePolicy('Keyed', CACHE_KEY_HEADERS.honoured),
    };
    // Cookies and all; nothing is added to the answers.
    const uncached = {
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
    const plain = this.#responseHeaders('Answers');
    const deprecated = new Map(
      Object.entries(lifecycles).map(([name, row]) => [
        name,
        this.#responseHeaders(`Deprecated-${name}`, row, config.baseUrl),
      ]),
    );

    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'Postern',
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      defaultBehavior: { ...common, cachePolicy: cachePolicies.honoured, responseHeadersPolicy: plain },
      additionalBehaviors: Object.fromEntries(
        additionalBehaviors().map(({ pattern, key, lifecycle, origin = DEFAULT_ORIGIN }) => [
          pattern,
          key === 'private'
            ? { ...common, ...uncached, origin: origins[origin] }
            : {
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
  #cachePolicy(id: string, headers: readonly string[]): cloudfront.CachePolicy {
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
   * For answers that the gateway or CloudFront made up. Ours have these headers already, and keep them: with
   * `override: false` there is no second Link line.
   *
   * @param baseUrl where it is known before a request comes; without it an answer that is not ours has no Link
   */
  #responseHeaders(id: string, row?: Lifecycle, baseUrl?: string): cloudfront.ResponseHeadersPolicy {
    const listed = (header: string): string[] => (PREFLIGHT_HEADERS[header] ?? '').split(', ');
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.#policyName(id),
      corsBehavior: {
        accessControlAllowOrigins: [PUBLIC_HEADERS['Access-Control-Allow-Origin'] ?? '*'],
        accessControlAllowMethods: listed('Access-Control-Allow-Methods'),
        accessControlAllowHeaders: listed('Access-Control-Allow-Headers'),
        accessControlExposeHeaders: EXPOSED_HEADERS.split(', '),
        accessControlMaxAge: Duration.seconds(Number(PREFLIGHT_HEADERS['Access-Control-Max-Age'])),
        accessControlAllowCredentials: false,
        originOverride: false,
      },
      ...(row !== undefined && {
        customHeadersBehavior: {
          customHeaders: Object.entries(lifecycleFields(row, baseUrl)).map(([header, value]) => ({
            header,
            value,
            override: false,
          })),
        },
      }),
    });
  }
}
