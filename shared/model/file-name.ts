// Declares the name of a document as a file.

/** A name with its extension, safe on every file system. */
export interface FileName {
  readonly name: string;
  /** The same for clients that read only ASCII. */
  readonly ascii: string;
}
