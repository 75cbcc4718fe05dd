// The settings of guards: what limits load and cost.
import { guards } from '../../shared/contract/guards.ts';
import { lambdaNames } from '../../shared/contract/lambdas.ts';
import { priceOf } from '../../shared/contract/prices.ts';
import { counts, dollars, listPrice, matching, type SettingRow, toggle, wholeNumber, zeroOrFrom } from './setting.ts';

export const guardSettings = {
  wafRateLimit: {
    schema: zeroOrFrom(10).prefault(0),
    rule: 'must be a whole number from 10, or 0 for no web ACL',
    meaning: 'Requests of one IP address in 5 minutes, after which a web ACL blocks it; 0 for no web ACL.',
    price: `A web ACL with this rule costs ${listPrice('webAcls', 'webAclRules')} a month and ${listPrice('webAclRequests')} per million requests.`,
    affects: 'cost',
  },
  wafManagedRules: {
    schema: toggle().prefault(false),
    rule: 'must be true or false',
    meaning: 'Adds the rule groups of AWS to the web ACL.',
    price: `${dollars(priceOf('webAclRules', guards.managedRules.price.monthly.webAclRules))} a month, and the web ACL.`,
    affects: 'cost',
  },
  webAclArn: {
    schema: matching(/^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[A-Za-z0-9_-]+\/[0-9a-f-]+$/).optional(),
    rule: 'must be the ARN of a web ACL for CloudFront, which is in us-east-1',
    meaning: 'ARN of a web ACL of your own, in us-east-1.',
    affects: 'cost',
  },
  apiThrottleRate: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of requests per second',
    meaning: 'Requests per second that API Gateway admits; 0 for the limit of the account.',
    affects: 'callers',
  },
  apiThrottleBurst: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of requests',
    meaning: 'Requests that API Gateway admits at once; 0 for the limit of the account.',
    affects: 'callers',
  },
  reservedConcurrency: {
    schema: counts(lambdaNames)
      .optional()
      .transform((value = {}) => value),
    rule: `must be SURFACE=COUNT, or several separated by commas; surfaces are ${lambdaNames.join(', ')}`,
    meaning:
      'Concurrent executions that only one function may use, and at most; on the command line `posts=50,search=20`.',
    affects: 'callers',
  },
  originShield: {
    schema: toggle().prefault(false),
    rule: 'must be true or false',
    meaning: 'One more cache of CloudFront before the origins, in the region nearest to the functions.',
    price: `${listPrice('originShield')} or more per 10,000 requests that reach it.`,
    affects: 'cost',
  },
  monthlyBudget: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of US dollars',
    meaning: 'US dollars a month; AWS mails when the bill is expected to exceed them. 0 for no budget.',
    affects: 'cost',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
