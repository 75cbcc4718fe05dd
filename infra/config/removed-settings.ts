/** The settings that a release removed, each with what an operator does instead. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['originSecret', 'Secrets Manager generates the secret; set originSecretVersion to rotate it'],
  ['reservedConcurrency', 'all functions share the concurrency of the account; ask for more in Service Quotas'],
  ['rollout', 'a deployment replaces all functions at once; verify it, and go back with the release before'],
  ['tracing', 'the line of each request in the log has its duration, and the line of each provider call'],
  ['apiThrottleBurst', 'the allowances limit callers; set wafRateLimit against one address that sends too much'],
  ['apiThrottleRate', 'the allowances limit callers; set wafRateLimit against one address that sends too much'],
  ['quietHours', 'the canary finds a service that nothing reaches; set canaryMinutes'],
  ['ticketEmail', 'every alarm goes to alarmEmail; the subjects of the mails name them, for a filter'],
  ['runbookUrl', 'alarms link to docs/runbook.md in the repository'],
  ['wafManagedRules', 'the web ACL of wafRateLimit has the rule groups of AWS'],
]);
