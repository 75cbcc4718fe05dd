// Counts what a run of `npm run save` saved, names what failed, and says when failures in a row end the run.
import { CommandError } from '../../../infra/command/output.ts';
import { itemsText, type Progress } from '../progress.ts';

/** Different subjects that fail one after the other are an outage. One subject alone never ends a run. */
export const MAX_FAILED_IN_ROW = 5;

/** In the summary. Each failure is also named when it happens. */
const MAX_NAMED = 100;

export interface Failure {
  /** The URL of the post or of a file of it. */
  readonly subject: string;
  readonly reason: string;
  /** A later request can succeed. */
  readonly passes: boolean;
}

export interface SaveReport {
  saved(): void;
  keptBefore(): void;
  /** Names what a post needs and could not be read. The post is not saved, or lacks a format. @throws CommandError if too many failed in a row */
  failed(post: string, failures: readonly Failure[]): void;
  /** Names a line of the list that is no post. */
  rejected(message: string): void;
  /** Names a file that X does not have. The post is saved without it. */
  missing(post: string, url: string, reason: string): void;
  /** Writes the summary. */
  end(): void;
  /** The number of posts that failed. */
  readonly failures: number;
}

export const createSaveReport = (progress: Progress): SaveReport => {
  let kept = 0;
  let failures = 0;
  let missing = 0;
  let unnamed = 0;
  const named: string[] = [];
  const failedInRow = new Set<string>();
  const name = (line: string): void => {
    progress.say(line);
    if (named.length < MAX_NAMED) named.push(line);
    else unnamed += 1;
  };
  return {
    saved() {
      failedInRow.clear();
      progress.add(1, undefined);
    },
    keptBefore() {
      kept += 1;
    },
    failed(post, all) {
      failures += 1;
      for (const { subject, reason } of all)
        name(subject.startsWith(post) ? `${subject}: ${reason}` : `${post}: ${subject}: ${reason}`);
      const passing = all.find(({ passes }) => passes);
      // A definite answer shows that the service and X answer.
      if (passing === undefined) failedInRow.clear();
      else failedInRow.add(passing.subject);
      if (failedInRow.size >= MAX_FAILED_IN_ROW)
        throw new CommandError(`${MAX_FAILED_IN_ROW} posts or files in a row failed, so the others are not tried.`);
    },
    rejected(message) {
      failures += 1;
      name(message);
    },
    missing(post, url, reason) {
      missing += 1;
      name(`${post}: ${url}: ${reason}. The note links to it.`);
    },
    end() {
      const files = missing === 0 ? '' : `, ${itemsText(missing, 'file')} missing`;
      progress.say(
        `${progress.count} saved, ${kept} there already, ${failures} failed${files}${named.length > 0 ? ':' : ''}`,
      );
      for (const line of named) progress.say(line);
      if (unnamed > 0) progress.say(`and ${unnamed} more, named above`);
    },
    get failures() {
      return failures;
    },
  };
};
