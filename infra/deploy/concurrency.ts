// Says before a deployment what the concurrency of the account allows.
import type { DeploymentRecord } from '../config/deployment-record.ts';
import type { Account } from './account.ts';

/** New accounts begin with 10. */
const FEW_EXECUTIONS = 100;

/** Lambda keeps so many executions of the account for functions without a reservation. */
const LEAST_UNRESERVED = 100;

type Limited = Pick<Account, 'concurrency'>;
type Deployed = Pick<DeploymentRecord, 'settings'>;

/** @returns a warning about the concurrency of Lambda */
export const concurrencyWarning = async (account: Limited, region: string): Promise<string> => {
  const limit = await account.concurrency().catch(() => undefined);
  // Only a warning depends on it, and the permission is not part of a deployment.
  if (limit === undefined)
    return 'Warning: the limit of concurrent Lambda executions could not be read (lambda:GetAccountSettings).';
  return limit < FEW_EXECUTIONS
    ? `Warning: the account may run only ${limit} Lambda executions at once: more callers get 503. Ask for more in Service Quotas (Lambda, Concurrent executions, ${region}). A new account may also not create CloudFront distributions before AWS Support has verified it.`
    : '';
};

/** @returns one sentence that stops the deployment, because Lambda would refuse the bound of pictures */
export const reservationProblem = async (account: Limited, { settings }: Deployed): Promise<string | undefined> => {
  const bound = settings.pictures === 'proxied' ? Number(settings.mediaConcurrency) : 0;
  if (bound === 0) return undefined;
  const limit = await account.concurrency().catch(() => undefined);
  return limit !== undefined && limit - bound < LEAST_UNRESERVED
    ? `mediaConcurrency: the account may run ${limit} Lambda executions at once, and Lambda reserves none of the last ${LEAST_UNRESERVED}. Set mediaConcurrency to ${limit - LEAST_UNRESERVED >= 2 ? `${limit - LEAST_UNRESERVED} or less` : '0'}: without a bound, requests for pictures can take the executions of all functions.`
    : undefined;
};

/** @returns a warning about pictures without a bound, or a blank text */
export const unboundedPictures = ({ settings }: Deployed): string =>
  settings.pictures === 'proxied' && settings.mediaConcurrency === '0'
    ? 'Warning: mediaConcurrency is 0: whoever asks for many pictures can take the executions of all functions, whose callers then get 503.'
    : '';
