// Defines the content of a cursor: the position at which a list continues.

/** Names a list and its normalized arguments. A cursor is valid only for the list with the same key. */
export type ListKey = readonly string[];

export interface ListPosition {
  /** The provider of the list. Pages of other providers differ. */
  readonly provider: string;
  /** The provider's cursor of the page; unset: the first page. */
  readonly cursor?: string;
  /** The number of items that the page was requested with. A partial page is requested again with the same number. */
  readonly size: number;
  /** Some items of the page were returned. The list continues after the last of them. */
  readonly isPartial: boolean;
  /** The number of consecutive pages without a new item. */
  readonly emptyPages: number;
  /** Fingerprints of recently returned items, because provider pages can repeat items. */
  readonly recentFingerprints: readonly number[];
  /** Ids of returned posts that can return at a later place, in lists that are newest first. @default none */
  readonly earlyIds?: readonly string[];
  /** Fingerprint of the first page with items. If a later page has it, the provider started the list again. */
  readonly firstPageFingerprint?: number;
}
