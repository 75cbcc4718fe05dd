// Which release is published.

export interface Release {
  /** SemVer. */
  readonly version: string;
  /** The day of the release, RFC 3339. */
  readonly date: string;
}

const HEADING = /^## (\S+) - (\d{4}-\d{2}-\d{2})$/gm;

/** @param changelog CHANGELOG.md, which has a dated section per release @throws where it has none for the version */
export const releaseOf = (version: string, changelog: string): Release => {
  const section = [...changelog.matchAll(HEADING)].find(([, named]) => named === version);
  const date = section?.[2];
  if (date === undefined) throw new Error(`CHANGELOG.md has no dated section for ${version}`);
  return { version, date };
};
