// Where a list goes on: what a cursor says once it is opened.

/** Which list, with its arguments in one spelling: a cursor of another one is not accepted. */
export type ListKey = readonly string[];

export interface ListPosition {
  /** The provider whose list it is: another one has other pages. */
  readonly provider: string;
  /** The provider's cursor of the page; unset: its first. */
  readonly cursor?: string;
  /** How many items that page was asked for: begun and asked for again, it must be the same page. */
  readonly size: number;
  /** Whether some of that page was handed out: it goes on after what is remembered of it. */
  readonly isPartial: boolean;
  /** How many pages in a row held nothing new. */
  readonly emptyPages: number;
  /** Fingerprints of what was handed out lately: pages may repeat it. */
  readonly recentFingerprints: readonly number[];
  /** Fingerprint of the first page that had anything: met again, the list has begun anew. */
  readonly firstPageFingerprint?: number;
}
