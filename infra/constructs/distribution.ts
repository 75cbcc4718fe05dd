// Creates the CloudFront distribution before the HTTP API and the MCP endpoint, with the edge function and the
// behaviors of cache-behaviors.ts.
import { createHash } from 'node:crypto';
import { Duration, Names, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IFunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { MAX_CACHE_TTL_SECONDS } from '../../shared/contract/caching.ts';
import {
  EDGE_HEADERS,
  EXPOSED_HEADERS,
  HSTS_SECONDS,
  PREFLIGHT_HEADERS,
  PUBLIC_HEADERS,
} from '../../shared/contract/headers.ts';
import {
  deprecationField,
  type Lifecycle,
  lifecycleLinks,
  lifecycles,
  sunsetField,
} from '../../shared/contract/lifecycle.ts';
import { MEDIA_PATTERN, MEDIA_STREAM_PATTERN } from '../../shared/contract/other-functions.ts';
import { PICTURE_PARAMETERS } from '../../shared/model/picture-hosts.ts';
import { edgeFile } from '../build/dist-layout.ts';
import { additionalBehaviors, CACHE_KEY_HEADERS, DEFAULT_ORIGIN, FORWARDED_HEADERS } from '../cache-behaviors.ts';
import { shieldRegion } from '../config/regions.ts';
import type { Config } from '../config/settings.ts';
import { acknowledgeRules } from './acknowledge-rules.ts';
import { certificateArnOf, createRecords } from './certificate.ts';
import { webAclOf } from './web-acl.ts';

/** CloudFront rejects a policy with a longer name. */
const MAX_POLICY_NAME = 128;

/** Above the timeout of the functions, so that the functions answer first. */
export const ORIGIN_READ_TIMEOUT_SECONDS = 15;

// CloudFront caches these errors for 10 s by default, even with `no-store`. It never caches 401 and 429, and rejects
// them in this list.
const ERROR_STATUSES = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/**
 * A program that sends an API key over HTTP has already disclosed it, and would follow a redirect unnoticed. CloudFront
 * answers 403 in HTML before it runs the edge function, so this cannot be a problem document.
 */
const protocol = (isHttpsOnly: boolean) => ({
  viewerProtocolPolicy: isHttpsOnly
    ? cloudfront.ViewerProtocolPolicy.HTTPS_ONLY
    : cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
});

/** Functions do not send HSTS, because the local service uses HTTP. Subdomains are the operator's decision. */
const HSTS: cloudfront.ResponseSecurityHeadersBehavior = {
  strictTransportSecurity: {
    accessControlMaxAge: Duration.seconds(HSTS_SECONDS),
    includeSubdomains: false,
    preload: false,
    override: false,
  },
};

/** The lifecycle headers without the successor, which depends on the request. */
const lifecycleFields = (row: Lifecycle, baseUrl: string | undefined): Readonly<Record<string, string>> => ({
  Deprecation: deprecationField(row),
  Sunset: sunsetField(row),
  ...(baseUrl !== undefined && { Link: lifecycleLinks(baseUrl).join(', ') }),
});

export interface DistributionProps {
  readonly api: HttpApi;
  readonly mcp: IFunctionUrl;
  /** The function URLs of pictures and videos; undefined: browsers load them from X. */
  readonly media: Readonly<Record<'parts' | 'streams', { readonly url: IFunctionUrl }>> | undefined;
  readonly config: Config;
  /** The output folder of `npm run build`. */
  readonly dist: string;
  /** The secret that the functions expect. */
  readonly originSecret: string;
}

/**
 * Creates the distribution, its edge function and its policies. CloudFront authenticates to both origins with the origin
 * secret. If an origin fails, CloudFront passes its answer on uncached.
 */
export class Distribution extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, { api, mcp, media, config, dist, originSecret }: DistributionProps) {
    super(scope, id);
    const { region, urlSuffix } = Stack.of(this);

    const edge = new cloudfront.Function(this, 'ViewerRequest', {
      code: cloudfront.FunctionCode.fromFile({ filePath: edgeFile(dist) }),
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      comment: 'Normalizes path, query and Accept; sets the viewer headers',
    });
    const connection = {
      customHeaders: { [EDGE_HEADERS.originSecret]: originSecret },
      readTimeout: Duration.seconds(ORIGIN_READ_TIMEOUT_SECONDS),
      keepaliveTimeout: Duration.seconds(60),
      ...(config.originShield && { originShieldRegion: shieldRegion(config.region) }),
    };
    // Origin access control would overwrite Authorization and require a hash of the body from clients.
    const origins = {
      api: new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, connection),
      mcp: new FunctionUrlOrigin(mcp, connection),
    };
    const common = {
      origin: origins.api,
      // CloudFront also forwards the headers of the cache key. Host must not be forwarded: both origins reject it.
      originRequestPolicy: new cloudfront.OriginRequestPolicy(this, 'Viewer', {
        originRequestPolicyName: this.#policyName('Viewer'),
        headerBehavior: cloudfront.OriginRequestHeaderBehavior.allowList(...FORWARDED_HEADERS),
      }),
      // The functions answer 405 and OPTIONS. For a method that is not allowed, CloudFront would answer 403 in HTML.
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      ...protocol(false),
      functionAssociations: [{ function: edge, eventType: cloudfront.FunctionEventType.VIEWER_REQUEST }],
    };
    const cachePolicies = {
      ignored: this.#answerCachePolicy('Keyless', CACHE_KEY_HEADERS.ignored),
      honoured: this.#answerCachePolicy('Keyed', CACHE_KEY_HEADERS.honoured),
    };
    // Private routes get every header and cookie of the viewer. CloudFront adds only HSTS to their answers.
    const uncached = {
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: this.#headers('Private'),
    };
    const plain = this.#responseHeaders('Answers');
    const deprecated = new Map(
      Object.entries(lifecycles).map(([name, row]) => [
        name,
        this.#responseHeaders(`Deprecated-${name}`, row, config.baseUrl),
      ]),
    );

    const mediaBehavior = media && this.#mediaBehavior();
    const webAclId = webAclOf(this, config);
    const certificateArn = certificateArnOf(this, config);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: config.stackName,
      ...(webAclId !== undefined && { webAclId }),
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      ...(config.priceClass !== cloudfront.PriceClass.PRICE_CLASS_ALL && { priceClass: config.priceClass }),
      defaultBehavior: { ...common, cachePolicy: cachePolicies.honoured, responseHeadersPolicy: plain },
      additionalBehaviors: {
        ...(mediaBehavior && {
          [MEDIA_STREAM_PATTERN]: { ...mediaBehavior, origin: new FunctionUrlOrigin(media.streams.url, connection) },
          [MEDIA_PATTERN]: { ...mediaBehavior, origin: new FunctionUrlOrigin(media.parts.url, connection) },
        }),
        ...Object.fromEntries(
          additionalBehaviors().map(({ pattern, key, lifecycle, origin = DEFAULT_ORIGIN, isHttpsOnly = false }) => [
            pattern,
            key === 'private'
              ? { ...common, ...uncached, ...protocol(isHttpsOnly), origin: origins[origin] }
              : {
                  ...common,
                  ...protocol(isHttpsOnly),
                  cachePolicy: cachePolicies[key],
                  responseHeadersPolicy: (lifecycle && deprecated.get(lifecycle)) ?? plain,
                },
          ]),
        ),
      },
      // Error pages would replace the problem documents.
      errorResponses: ERROR_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(config.domainName !== undefined &&
        certificateArn !== undefined && {
          domainNames: [config.domainName],
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
        }),
    });
    createRecords(this, config, this.distribution);
    acknowledgeRules(this.distribution, {
      'AwsSolutions-CFR1': 'The service is open to every country.',
      'AwsSolutions-CFR2': 'A web ACL costs more than a small service: the operator sets wafRateLimit or webAclArn.',
      'AwsSolutions-CFR3': 'The operator sets accessLogDays. The rule knows only the older logs, with addresses.',
      'AwsSolutions-CFR4': 'Without a domain name of the operator, CloudFront offers no choice of the TLS version.',
    });
  }

  /**
   * Policy names are unique per account, not per region, so another stack, or a stack in another region, needs other
   * names.
   */
  #policyName(id: string): string {
    const name = `${Names.uniqueId(this)}-${id}-${Stack.of(this).region}`;
    if (name.length <= MAX_POLICY_NAME) return name;
    // Only a long name of the stack makes the name too long.
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
    return `${name.slice(0, MAX_POLICY_NAME - hash.length)}${hash}`;
  }

  /**
   * Without the edge function, so that the functions do not get the IP address in a header of their own. CloudFront forwards
   * Range and If-None-Match by itself, and the parameters of the cache key. The path has the signature of the file.
   */
  #mediaBehavior(): Omit<cloudfront.BehaviorOptions, 'origin'> {
    return {
      cachePolicy: this.#cachePolicy('Media', {
        headerBehavior: cloudfront.CacheHeaderBehavior.none(),
        queryStringBehavior: cloudfront.CacheQueryStringBehavior.allowList(...PICTURE_PARAMETERS),
      }),
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      responseHeadersPolicy: this.#headers('MediaAnswers'),
      compress: false,
      ...protocol(false),
    };
  }

  /** Cache-Control of each answer decides: with a minimum TTL above 0, CloudFront ignores `private` and `no-store`. */
  #cachePolicy(id: string, key: cloudfront.CachePolicyProps): cloudfront.CachePolicy {
    return new cloudfront.CachePolicy(this, id, {
      cachePolicyName: this.#policyName(id),
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(MAX_CACHE_TTL_SECONDS),
      cookieBehavior: cloudfront.CacheCookieBehavior.none(),
      ...key,
    });
  }

  #answerCachePolicy(id: string, headers: readonly string[]): cloudfront.CachePolicy {
    return this.#cachePolicy(id, {
      headerBehavior: cloudfront.CacheHeaderBehavior.allowList(...headers),
      // The edge function has removed unknown parameters.
      queryStringBehavior: cloudfront.CacheQueryStringBehavior.all(),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    });
  }

  /** Adds HSTS and the headers of `more` to answers. */
  #headers(id: string, more: cloudfront.ResponseHeadersPolicyProps = {}): cloudfront.ResponseHeadersPolicy {
    return new cloudfront.ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName: this.#policyName(id),
      securityHeadersBehavior: HSTS,
      ...more,
    });
  }

  /**
   * Adds headers to answers that API Gateway or CloudFront created. Answers of functions keep their own headers because
   * of `override: false`.
   *
   * @param baseUrl if it is unset, answers of API Gateway and CloudFront have no Link
   */
  #responseHeaders(id: string, row?: Lifecycle, baseUrl?: string): cloudfront.ResponseHeadersPolicy {
    const listed = (header: string): string[] => (PREFLIGHT_HEADERS[header] ?? '').split(', ');
    return this.#headers(id, {
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
