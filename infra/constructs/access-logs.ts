// Creates the access log of CloudFront: a private bucket, and the delivery of selected fields into it.
import { CfnOutput, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledgeRules } from './acknowledge-rules.ts';

/**
 * Says neither who read nor what was read: no address, network, country, edge location, path, query, host, referrer,
 * cookie or user agent. `cache-behavior-path-pattern` stands for the route. CloudFront allows these names, among others:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export const ACCESS_LOG_FIELDS = [
  'date',
  'time',
  /** The functions log that of a failure as `viewer_request_id`. */
  'x-edge-request-id',
  'cache-behavior-path-pattern',
  'cs-method',
  'sc-status',
  'sc-content-type',
  'sc-bytes',
  'time-taken',
  'time-to-first-byte',
  /** Seconds until the first byte of the origin; `-` if no origin answered. */
  'origin-fbl',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
] as const;

/** The path of the objects below the prefix that CloudWatch adds: one folder per hour, in UTC. */
const ACCESS_LOG_SUFFIX = '{yyyy}/{MM}/{dd}/{HH}';

/** The prefix that CloudWatch adds for a source of CloudFront. */
const accessLogPrefix = (account: string): string => `AWSLogs/${account}/CloudFront`;

/** Names of sources and destinations are unique per account and region. */
const MAX_NAME_LENGTH = 60;

export interface AccessLogsProps {
  readonly distributionArn: string;
  /** Days after which S3 deletes a log file; 1 or more. */
  readonly days: number;
}

/**
 * Creates the bucket, the delivery and the output `AccessLogLocation`. Only the log delivery of this account may write,
 * for this distribution. The bucket is retained with its remaining files when the access log is turned off.
 * CloudWatch accepts CloudFront as a source of logs only in us-east-1.
 */
export class AccessLogs extends Construct {
  constructor(scope: Construct, id: string, { distributionArn, days }: AccessLogsProps) {
    super(scope, id);
    const { account, partition, region } = Stack.of(this);

    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [{ expiration: Duration.days(days), abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    acknowledgeRules(bucket, {
      'AwsSolutions-S1':
        'The bucket contains a log. Its only writer is the log delivery of AWS, and its only reader is the operator.',
    });

    const name = Names.uniqueResourceName(this, { maxLength: MAX_NAME_LENGTH, separator: '-' });
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      // CloudFront delivers JSON without a charge, but bills the conversion to Parquet.
      outputFormat: 'json',
      destinationResourceArn: bucket.bucketArn,
    });
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html
    bucket.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects(`AWSLogs/${account}/*`)],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account, 's3:x-amz-acl': 'bucket-owner-full-control' },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:logs:${region}:${account}:delivery-source:${name}` },
        },
      }),
    );
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields: [...ACCESS_LOG_FIELDS],
      s3SuffixPath: ACCESS_LOG_SUFFIX,
      s3EnableHiveCompatiblePath: false,
    });
    // The name is no reference, and without the policy CloudWatch refuses the delivery or writes a policy of its own.
    delivery.addResourceDependency(source);
    if (bucket.policy !== undefined) delivery.node.addDependency(bucket.policy);

    new CfnOutput(Stack.of(this), 'AccessLogLocation', {
      value: `s3://${bucket.bucketName}/${accessLogPrefix(account)}`,
      description: 'The folder of the access log',
    });
  }
}
