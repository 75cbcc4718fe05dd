// Chooses the region of Origin Shield. Source: CloudFront Developer Guide, "Choosing the AWS Region for Origin Shield".
import { SetupError } from './config.ts';

/** The regions that have Origin Shield. */
export const SHIELD_REGIONS = [
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
] as const;

type ShieldRegion = (typeof SHIELD_REGIONS)[number];

/** AWS recommends these regions for origins in other regions. */
const NEAREST: Readonly<Record<string, ShieldRegion>> = {
  'us-west-1': 'us-west-2',
  'af-south-1': 'eu-west-1',
  'ap-east-1': 'ap-southeast-1',
  'ca-central-1': 'us-east-1',
  'eu-south-1': 'eu-central-1',
  'eu-west-3': 'eu-west-2',
  'eu-north-1': 'eu-west-2',
  'me-south-1': 'ap-south-1',
};

const isShieldRegion = (region: string): region is ShieldRegion => SHIELD_REGIONS.some((known) => known === region);

/** @param region of the functions @throws SetupError if AWS recommends no region for it */
export const shieldRegion = (region: string): ShieldRegion => {
  const found = isShieldRegion(region) ? region : new Map(Object.entries(NEAREST)).get(region);
  if (found !== undefined) return found;
  throw new SetupError(
    `originShield: AWS names no region of Origin Shield for ${region}; set originShield to false, or deploy to one of ` +
      [...SHIELD_REGIONS, ...Object.keys(NEAREST)].join(', '),
  );
};
