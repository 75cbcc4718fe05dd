// The settings of guards: what limits load and cost.
import { guards } from '../../shared/contract/guards.ts';
import { priceOf } from '../../shared/contract/prices.ts';
import { dollars, listPrice, matching, type SettingRow, toggle, wholeNumber, zeroOrFrom } from './setting.ts';

export const guardSettings = {
  wafRateLimit: {
    schema: zeroOrFrom(10).prefault(0),
    rule: 'must be a whole number from 10, or 0 for no web ACL',
    meaning:
      'Requests of one IP address in 5 minutes, after which a web ACL blocks it; 0 for no web ACL. The web ACL also has rule groups of AWS.',
    price: `The web ACL costs ${dollars(priceOf('webAcls', 1) + priceOf('webAclRules', guards.webAcl.price.monthly.webAclRules))} a month and ${listPrice('webAclRequests')} per million requests.`,
  },
  webAclArn: {
    schema: matching(/^arn:aws:wafv2:us-east-1:\d{12}:global\/webacl\/[A-Za-z0-9_-]+\/[0-9a-f-]+$/).optional(),
    rule: 'must be the ARN of a web ACL for CloudFront, which is in us-east-1',
    meaning: 'ARN of a web ACL of your own, in us-east-1.',
  },
  originShield: {
    schema: toggle().prefault(false),
    rule: 'must be true or false',
    meaning: 'One more cache of CloudFront before the origins, in the region nearest to the functions.',
    price: `${listPrice('originShield')} or more per 10,000 requests that reach it.`,
  },
  monthlyBudget: {
    schema: wholeNumber().prefault(0),
    rule: 'must be a whole number of US dollars',
    meaning: 'US dollars a month; AWS mails when the bill is expected to exceed them. 0 for no budget.',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;
