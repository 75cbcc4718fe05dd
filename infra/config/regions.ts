// Says in which regions the stack can work, and chooses the region of Origin Shield. The list of regions, their partitions and whether an account must enable
// them is the one of the CDK (aws-cdk-lib/region-info).
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { SetupError } from './setting.ts';

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

/** The regions that have Origin Shield (CloudFront Developer Guide, "Choosing the AWS Region for Origin Shield"). */
export const SHIELD_REGIONS: readonly string[] = [
  'us-east-1',
  'us-east-2',
  'us-west-2',
  'ap-south-1',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
  'sa-east-1',
];

/** AWS recommends these regions for origins in other regions. */
const NEAREST: ReadonlyMap<string, string> = new Map([
  ['us-west-1', 'us-west-2'],
  ['af-south-1', 'eu-west-1'],
  ['ap-east-1', 'ap-southeast-1'],
  ['ca-central-1', 'us-east-1'],
  ['eu-south-1', 'eu-central-1'],
  ['eu-west-3', 'eu-west-2'],
  ['eu-north-1', 'eu-west-2'],
  ['me-south-1', 'ap-south-1'],
]);

/** @param region of the functions @throws SetupError if AWS recommends no region for it */
export const shieldRegion = (region: string): string => {
  const found = SHIELD_REGIONS.includes(region) ? region : NEAREST.get(region);
  if (found !== undefined) return found;
  throw new SetupError(
    `originShield: AWS names no region of Origin Shield for ${region}; set originShield to false, or deploy to one of ` +
      [...SHIELD_REGIONS, ...NEAREST.keys()].join(', '),
  );
};
