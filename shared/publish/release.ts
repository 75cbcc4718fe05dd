// Reads the date of a release from CHANGELOG.md.

export interface Release {
  /** SemVer. */
  readonly version: string;
  /** The day of the release, RFC 3339. */
  readonly date: string;
}

/** `## 1.2.3 - 2026-12-01`, or with the version in brackets. */
const HEADING = /^## (?:(\d[^\s[\]]*)|\[(\d[^\s[\]]*)\]) - (\d{4}-\d{2}-\d{2})$/gm;

/** @param changelog the text of CHANGELOG.md @throws if it has no dated section for the version */
export const releaseOf = (version: string, changelog: string): Release => {
  const section = [...changelog.matchAll(HEADING)].find(([, plain, bracketed]) => (plain ?? bracketed) === version);
  const date = section?.[3];
  if (date === undefined) throw new Error(`CHANGELOG.md has no dated section for ${version}`);
  return { version, date };
};
