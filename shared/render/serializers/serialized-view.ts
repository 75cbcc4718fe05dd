// Declares what a serializer takes and returns.
import type { Format } from '../../contract/media-types.ts';
import type { Layout, MetricsChoice } from '../../contract/parameters.ts';
import type { Warning } from '../../model/resources.ts';
import type { FileName } from '../content/file-name.ts';

export interface SerializerOptions {
  readonly format: Format;
  /** Bound of the Markdown; unset: none. */
  readonly maxTokens: number | undefined;
  /** @default 'conversation' */
  readonly layout?: Layout | undefined;
  /** Only posts have it. @default the first that shows the post */
  readonly part?: number | undefined;
  /** @default 'on' */
  readonly metrics?: MetricsChoice | undefined;
}

export interface SerializedView {
  readonly format: Format;
  readonly body: string;
  /**
   * The input of a validator starts at this character of the body, after the time of the provider call. The characters
   * before it are ASCII. @default 0
   */
  readonly identityStart?: number;
  /** The input of a validator, if it is no part of the body. */
  readonly identity?: string;
  /** The warning that the Markdown was truncated, if it was. */
  readonly truncation?: Warning;
  /** The cursor of the page after the items that the body shows; undefined: there is none. @default that of the view */
  readonly nextCursor?: string | undefined;
  /** The name under which clients save the body. */
  readonly fileName?: FileName;
}
