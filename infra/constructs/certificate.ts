// Creates the certificate and the DNS records of the domain of an operator, in a hosted zone of Route 53.
import { Fn } from 'aws-cdk-lib';
import { CfnCertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { CLOUDFRONT_REGION } from '../config/regions.ts';
import type { Config } from '../config/settings.ts';
import { EDGE_OUTPUTS, edgeStackName } from '../edge-outputs.ts';

/** True if the deployment makes the certificate. */
export const needsCertificate = ({ domainName, certificateArn, hostedZoneId }: Config): boolean =>
  domainName !== undefined && certificateArn === undefined && hostedZoneId !== undefined;

/**
 * Creates the certificate, which ACM validates by a record in the hosted zone, and renews by the same record.
 *
 * @param scope in us-east-1
 * @returns its ARN; undefined: the operator has one, or no domain
 */
export const certificateOf = (scope: Construct, config: Config): string | undefined => {
  const { domainName, hostedZoneId } = config;
  if (!needsCertificate(config) || domainName === undefined || hostedZoneId === undefined) return undefined;
  return new CfnCertificate(scope, 'OwnCertificate', {
    domainName,
    validationMethod: 'DNS',
    domainValidationOptions: [{ domainName, hostedZoneId }],
  }).ref;
};

/** @returns the ARN of the certificate of the domain, which another stack makes outside us-east-1 */
export const certificateArnOf = (scope: Construct, config: Config): string | undefined => {
  if (config.certificateArn !== undefined) return config.certificateArn;
  if (config.region === CLOUDFRONT_REGION) return certificateOf(scope, config);
  return needsCertificate(config)
    ? Fn.getStackOutput(edgeStackName(config), EDGE_OUTPUTS.certificate, CLOUDFRONT_REGION)
    : undefined;
};

/** Points the domain to the distribution, for IPv4 and IPv6. */
export const createRecords = (scope: Construct, { domainName, hostedZoneId }: Config, target: Distribution): void => {
  if (domainName === undefined || hostedZoneId === undefined) return;
  for (const type of ['A', 'AAAA'])
    new CfnRecordSet(scope, `Record${type}`, {
      name: domainName,
      type,
      hostedZoneId,
      aliasTarget: {
        dnsName: target.distributionDomainName,
        hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID,
      },
    });
};
