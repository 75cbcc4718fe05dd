// Says in which regions the stack can work. The list of regions, their partitions and whether an account must enable
// them is the one of the CDK (aws-cdk-lib/region-info).
import { RegionInfo } from 'aws-cdk-lib/region-info';

/** CloudFront, its metrics, its web ACLs and its access logs live in this region. */
export const CLOUDFRONT_REGION = 'us-east-1';

/** The commercial regions. The other partitions have no CloudFront that viewers everywhere can reach. */
const PARTITION = 'aws';

const knownRegions = new Map(RegionInfo.regions.map((row) => [row.name, row]));

/** @returns the reason in words, or undefined if the stack can work there */
export const regionProblem = (region: string): string | undefined => {
  const known = knownRegions.get(region);
  if (known === undefined) return 'must be an AWS region, such as us-east-1';
  return known.partition === PARTITION
    ? undefined
    : `cannot be ${region}: the partition ${known.partition} has no CloudFront for viewers everywhere, which the stack needs; set a commercial region, such as us-east-1`;
};

/** @returns the warning in words, or undefined if every account has the region */
export const regionWarning = (region: string): string | undefined =>
  knownRegions.get(region)?.isOptInRegion === true
    ? `${region} is a region that an account must enable first; if it lacks Lambda functions on arm64, set arch to x86_64`
    : undefined;
