// Lists the rules of AWS in the web ACL, and which of them block. A search, a link in `url=` and a message to /mcp may
// contain any text, so no rule blocks that looks into a query or a body. Rules that AWS adds later do not block.
// Source: AWS WAF Developer Guide, "Baseline rule groups" and "IP reputation rule groups".

export interface ManagedRuleGroup {
  /** In web ACL capacity units. */
  readonly capacity: number;
  readonly labelNamespace: string;
  /** The labels of the rules that block, without the namespace. */
  readonly blocking: readonly string[];
  /** The names of the rules that only count. Such a rule must not end the evaluation of its group. */
  readonly counting: Readonly<Record<string, string>>;
}

const QUERY = 'A search or a link in a query may contain any text.';
const BODY = 'A message to /mcp or the admin API may contain any text.';
const BODY_SIZE = 'A message to /mcp may have 256 KiB.';
const LENGTH = 'The functions answer 414 to a target that is too long.';

/** In the order of evaluation: the cheapest group first. */
export const managedRuleGroups = {
  // Neither AWSManagedRulesAnonymousIpList, which blocks data centers, where most programs run, nor
  // AWSManagedRulesSQLiRuleSet: the service has no SQL, and searches have words of SQL.
  AWSManagedRulesAmazonIpReputationList: {
    capacity: 25,
    labelNamespace: 'awswaf:managed:aws:amazon-ip-list:',
    blocking: ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'],
    counting: { AWSManagedIPDDoSList: 'AWS itself only counts it; wafRateLimit answers load.' },
  },
  AWSManagedRulesKnownBadInputsRuleSet: {
    capacity: 200,
    labelNamespace: 'awswaf:managed:aws:known-bad-inputs:',
    blocking: [
      'JavaDeserializationRCE_Header',
      'JavaDeserializationRCE_URIPath',
      'Host_Localhost_Header',
      'Propfind_Method',
      'ExploitablePaths_URIPath',
      'Log4JRCE_Header',
      'Log4JRCE_URIPath',
    ],
    counting: {
      JavaDeserializationRCE_BODY: BODY,
      JavaDeserializationRCE_QUERYSTRING: QUERY,
      Log4JRCE_QUERYSTRING: QUERY,
      Log4JRCE_BODY: BODY,
    },
  },
  AWSManagedRulesCommonRuleSet: {
    capacity: 700,
    labelNamespace: 'awswaf:managed:aws:core-rule-set:',
    blocking: [
      'BadBots_Header',
      'SizeRestrictions_Cookie_Header',
      'EC2MetaDataSSRF_Cookie',
      'EC2MetaDataSSRF_URIPath',
      'GenericLFI_URIPath',
      'RestrictedExtensions_URIPath',
      'GenericRFI_URIPath',
      'CrossSiteScripting_Cookie',
      'CrossSiteScripting_URIPath',
    ],
    counting: {
      NoUserAgent_HEADER: 'Programs need no User-Agent.',
      SizeRestrictions_QUERYSTRING: LENGTH,
      SizeRestrictions_BODY: BODY_SIZE,
      SizeRestrictions_URIPATH: LENGTH,
      EC2MetaDataSSRF_BODY: BODY,
      EC2MetaDataSSRF_QUERYARGUMENTS: QUERY,
      GenericLFI_QUERYARGUMENTS: QUERY,
      GenericLFI_BODY: BODY,
      RestrictedExtensions_QUERYARGUMENTS: QUERY,
      GenericRFI_QUERYARGUMENTS: QUERY,
      GenericRFI_BODY: BODY,
      CrossSiteScripting_QUERYARGUMENTS: QUERY,
      CrossSiteScripting_BODY: BODY,
    },
  },
} as const satisfies Readonly<Record<string, ManagedRuleGroup>>;

export const managedRuleGroupRows: readonly (readonly [string, ManagedRuleGroup])[] = Object.entries(managedRuleGroups);

/** The labels of all rules that block. */
export const blockingLabels: readonly string[] = managedRuleGroupRows.flatMap(([, { labelNamespace, blocking }]) =>
  blocking.map((label) => `${labelNamespace}${label}`),
);
