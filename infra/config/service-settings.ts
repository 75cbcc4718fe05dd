// The settings of the stack itself: where it is, its address, its secrets and its tables.
import { PriceClass } from 'aws-cdk-lib/aws-cloudfront';
import * as z from 'zod';
import {
  CONTACT_PATTERN,
  contactUri,
  httpUrl,
  OPERATOR_NAME_PATTERN,
  operatorName,
  type SettingParser,
} from '../../shared/settings/base-parsers.ts';
import { CLOUDFRONT_REGION, regionProblem } from './regions.ts';
import { matching, parsed, type SettingRow, wholeNumber } from './setting.ts';

const origin: SettingParser<string> = {
  rule: 'must be an origin without path, such as https://posts.example.org',
  parse: (text) => {
    const url = httpUrl.parse(text);
    return url !== undefined && new URL(url).origin === url ? url : undefined;
  },
};

const REGION_RULE = 'must be an AWS region, such as us-east-1';

const region = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/)
  .check((context) => {
    const problem = regionProblem(context.value);
    if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value });
  })
  .default(CLOUDFRONT_REGION);

const tableName = matching(/^[A-Za-z0-9_.-]{3,255}$/).optional();
const TABLE_RULE = 'must be the name of a DynamoDB table';

const version = wholeNumber(1).prefault(1);
const VERSION_RULE = 'must be a whole number from 1';

export const serviceSettings = {
  stackName: {
    // CloudFront limits the names of policies to 128 characters, and they contain the name of the stack.
    schema: matching(/^[A-Za-z][A-Za-z0-9-]{0,49}$/).default('Postern'),
    rule: 'must be at most 50 letters, digits and hyphens, and begin with a letter',
    meaning: 'Name of the stack. Two stacks with different names are two services, such as staging beside production.',
    price: 'A second service costs as much as the first.',
  },
  region: {
    schema: region,
    rule: REGION_RULE,
    meaning: 'Region of the functions and tables. CloudFront is everywhere.',
  },
  domainName: {
    schema: matching(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/).optional(),
    rule: 'must be a host name in lower case',
    meaning:
      'Your domain, together with `certificateArn` or `hostedZoneId`. Without it, the domain is the one of the CloudFront distribution.',
  },
  certificateArn: {
    schema: matching(/^arn:aws:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]+$/).optional(),
    rule: 'must be the ARN of an ACM certificate in us-east-1, where CloudFront looks for them',
    meaning: 'ARN of the ACM certificate of `domainName`, in us-east-1.',
  },
  hostedZoneId: {
    schema: matching(/^Z[A-Z0-9]{1,31}$/).optional(),
    rule: 'must be the id of a hosted zone, such as Z0123456789ABCDEFGHIJ',
    meaning:
      'Id of the hosted zone of Route 53 that has `domainName`. The deployment then makes the DNS records and, without `certificateArn`, the certificate.',
  },
  priceClass: {
    schema: z.enum(PriceClass).default(PriceClass.PRICE_CLASS_ALL),
    rule: 'must be PriceClass_All, PriceClass_200 or PriceClass_100',
    meaning:
      'Edge locations of CloudFront: `PriceClass_All`, or without the dearest (`PriceClass_200`, `PriceClass_100`), where answers then take longer.',
  },
  baseUrl: {
    schema: parsed(origin, /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#]+\/*$/).optional(),
    rule: origin.rule,
    meaning: 'Base of links. Without it, `domainName` or the domain of the CloudFront distribution.',
  },
  arch: {
    schema: z.enum(['arm64', 'x86_64']).default('arm64'),
    rule: 'must be arm64 or x86_64',
    meaning: 'Processor of the functions: `arm64` or `x86_64`.',
    price: '`x86_64` costs a quarter more per second.',
  },
  originSecretVersion: {
    schema: version,
    rule: VERSION_RULE,
    meaning: 'Increase by 1 to rotate the secret that CloudFront sends; the previous secret stays accepted.',
  },
  cursorSecretVersion: {
    schema: version,
    rule: VERSION_RULE,
    meaning: 'Increase by 1 to rotate the secret that signs cursors; the previous secret stays accepted.',
  },
  keysTableName: {
    schema: tableName,
    rule: TABLE_RULE,
    meaning: 'Name of an existing table of API keys, which the stack uses and neither creates nor deletes.',
  },
  adminTableName: {
    schema: tableName,
    rule: TABLE_RULE,
    meaning: 'The same for the table of sessions and audit entries.',
  },
  securityContact: {
    schema: parsed(contactUri, CONTACT_PATTERN).optional(),
    rule: contactUri.rule,
    meaning: 'Contact in `security.txt`, a URI that begins with `mailto:` or `https:`.',
  },
  abuseContact: {
    schema: parsed(contactUri, CONTACT_PATTERN).optional(),
    rule: contactUri.rule,
    meaning: 'Contact for complaints on `/docs/removal`, such a URI. Without it, `securityContact`.',
  },
  operatorName: {
    schema: parsed(operatorName, OPERATOR_NAME_PATTERN).optional(),
    rule: operatorName.rule,
    meaning: 'Person or organization that runs the service. `/docs/removal` and `/openapi.json` name it.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
