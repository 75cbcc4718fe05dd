// Says what a deployment withholds and what it shows again, and whether the caches of CloudFront must forget their answers.
import { shownName } from '../../shared/model/handle.ts';
import { parseWithheldText, type WithheldEntry } from '../../shared/model/withheld.ts';
import type { DeploymentRecord } from '../config/deployment-record.ts';

const nameOf = (entry: WithheldEntry): string =>
  'profile' in entry ? shownName(entry.profile) : `the post ${entry.id}${entry.handle ? ` of @${entry.handle}` : ''}`;

const keyOf = (entry: WithheldEntry): string =>
  'profile' in entry ? shownName(entry.profile.toLowerCase()) : entry.id;

const termOf = ({ reason, until }: WithheldEntry): string =>
  `${reason}${until === undefined ? '' : `, until ${new Date(until).toISOString()}`}`;

const endOf = ({ until = Number.POSITIVE_INFINITY }: WithheldEntry): number => until;

/** By subject. As in the service, the entry that ends last counts. */
const entriesOf = (record: DeploymentRecord | undefined): ReadonlyMap<string, WithheldEntry> => {
  const entries = parseWithheldText(record?.settings.withheld ?? '[]');
  const last = new Map<string, WithheldEntry>();
  for (const entry of 'problem' in entries ? [] : entries) {
    const other = last.get(keyOf(entry));
    if (other === undefined || endOf(entry) > endOf(other)) last.set(keyOf(entry), entry);
  }
  return last;
};

/** @param now milliseconds since the epoch: an entry that has ended withholds nothing */
export const withheldChanges = (
  before: DeploymentRecord | undefined,
  after: DeploymentRecord | undefined,
  now: number,
): readonly string[] => {
  const [old, next] = [entriesOf(before), entriesOf(after)];
  const isInForce = (entry: WithheldEntry | undefined): boolean => entry !== undefined && now < endOf(entry);
  const textsOf = (key: string, entry: WithheldEntry): readonly string[] => {
    const deployed = old.get(key);
    const say = (fate: string): readonly string[] => [`${nameOf(entry)} ${fate}: ${termOf(entry)}`];
    if (!isInForce(entry)) return deployed ? [] : say('is not withheld, because its entry has ended');
    if (deployed === undefined) return say('is withheld');
    if (!isInForce(deployed)) return say('is withheld again');
    const isSame = nameOf(deployed) === nameOf(entry) && termOf(deployed) === termOf(entry);
    return isSame ? [] : say('stays withheld');
  };
  const shown = [...old].filter(([key, entry]) => isInForce(entry) && !isInForce(next.get(key)));
  return [
    ...[...next].flatMap(([key, entry]) => textsOf(key, entry)),
    ...shown.map(([, entry]) => `${nameOf(entry)} is shown again`),
  ];
};

/**
 * A post is answered below any handle, a handle is written in many ways, and the id of an account names no path of its
 * handle. So no list of paths is complete: after any change of the list, the caches must forget all answers.
 */
export const mustForget = (before: DeploymentRecord | undefined, after: DeploymentRecord | undefined): boolean =>
  before?.settings.withheld !== after?.settings.withheld;
