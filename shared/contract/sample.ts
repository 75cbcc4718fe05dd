// Says in one place what an answer from sample data says of itself.

/** The source of every body. */
export const SAMPLE_SOURCE = 'sample';

export const SAMPLE_REASON = 'X cannot be reached from this machine';

export const SAMPLE_SENTENCE = `This service runs on sample data: ${SAMPLE_REASON}.`;

/** The resolution of problems. */
export const READ_SAMPLE =
  'The front page {base_url}/ lists reads that the sample answers. For live data, start the service with UPSTREAM=live where X can be reached.';
