/** The settings that a release removed, each with what an operator does instead. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['quietHours', 'the canary finds a service that nothing reaches; set canaryMinutes'],
  ['ticketEmail', 'every alarm goes to alarmEmail; the subjects of the mails name them, for a filter'],
  ['runbookUrl', 'alarms link to docs/runbook.md in the repository'],
]);
