// Lists what a deployment with default settings pays for without a request. A test compares the numbers with the
// template.

export const standingResources = {
  /** Every metric of an alarm is billed; a metric of an expression, too. */
  alarmMetrics: 50,
  compositeAlarms: 0,
  dashboards: 0,
  /** The origin secret and the secret of cursors. */
  secrets: 2,
} as const;
