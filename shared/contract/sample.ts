// Says in one place what an answer from sample data says of itself.

/** The source of every body. */
export const SAMPLE_SOURCE = 'sample';

export const SAMPLE_REASON = 'X cannot be reached from this machine';

export const SAMPLE_SENTENCE = `This service runs on sample data: ${SAMPLE_REASON}.`;

/** The resolution of problems. It names no address of the service, because a command reads without one. */
export const READ_SAMPLE =
  'The sample has https://x.com/jack/status/20, and the front page of the service lists all that it has. For live data, use UPSTREAM=live where X can be reached.';
