// Reports the posts and accounts that the operator withholds, with their reasons and ends.
import type { UserName } from '../../shared/model/handle.ts';
import type { WithheldEntry, WithheldReason } from '../../shared/model/withheld.ts';
import type { WallClock } from '../../shared/ports/system.ts';

export interface WithheldReportPorts {
  /** The last valid list; `problem` is set if the file is wrong since then. */
  readonly withheld: () => { readonly entries: readonly WithheldEntry[]; readonly problem?: string };
  readonly wall: WallClock;
}

/** Either `post` or `profile` is set. */
export interface WithheldView {
  /** The id. */
  readonly post?: string;
  readonly profile?: UserName;
  readonly reason: WithheldReason;
  /** An instant; null: it has no end. */
  readonly until: string | null;
  /** False after the end. */
  readonly in_force: boolean;
}

export interface WithheldReport {
  /** The entries that are in force. */
  readonly count: number;
  /** In the order of the list. */
  readonly entries: readonly WithheldView[];
  /** Says what is wrong with the present file: `entries` are then those of the last valid one. Null if nothing is. */
  readonly problem: string | null;
}

export const createWithheldReport = ({ withheld, wall }: WithheldReportPorts) => {
  const viewOf = (entry: WithheldEntry): WithheldView => ({
    ...('profile' in entry ? { profile: entry.profile } : { post: entry.id }),
    reason: entry.reason,
    until: entry.until === undefined ? null : new Date(entry.until).toISOString(),
    in_force: entry.until === undefined || wall.now() < entry.until,
  });

  return (): WithheldReport => {
    const { entries, problem = null } = withheld();
    const views = entries.map(viewOf);
    return { count: views.filter(({ in_force }) => in_force).length, entries: views, problem };
  };
};
