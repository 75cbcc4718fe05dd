// Checks from outside that everything on a list of withheld posts and profiles is 451.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { accountPath, idOfName, shownName } from '../../shared/model/handle.ts';
import { parseWithheldText, type WithheldEntry } from '../../shared/model/withheld.ts';
import { codeOf } from '../../shared/verification/answer.ts';
import { type Check, statusText } from '../../shared/verification/check.ts';

/**
 * @param file a list, or the settings with the member `withheld`
 * @returns the entries that have not ended @throws Error that names what is wrong
 */
export const readWithheldList = (file: string, now: number): readonly WithheldEntry[] => {
  // npm runs commands in the folder of the project.
  const text = readFileSync(resolve(process.env['INIT_CWD'] ?? '', file), 'utf8');
  const entries = parseWithheldText(text, 'withheld');
  if ('problem' in entries) throw new Error(`${file}: ${entries.problem}`);
  return entries.filter(({ until }) => until === undefined || now < until);
};

const targetsOf = (entry: WithheldEntry): readonly string[] => {
  if ('profile' in entry) {
    const { profile } = entry;
    const account = idOfName(profile);
    if (account !== undefined) return [accountPath(account), `/api/v1/users/${account}`];
    return [`/@${profile}`, `/@${profile}/rss`, `/api/v1/profiles/${profile}/posts`, `/api/v1/profiles/${profile}`];
  }
  const { id, handle = 'i' } = entry;
  const url = encodeURIComponent(`https://x.com/${handle}/status/${id}`);
  const reads = [`/api/v1/posts?url=${url}`, `/oembed?url=${url}`, `/api/v1/posts/${id}/replies`];
  return [...new Set([`/${handle}/status/${id}`, `/i/status/${id}`, ...reads])];
};

const nameOf = (entry: WithheldEntry): string => ('profile' in entry ? shownName(entry.profile) : entry.id);

const CODE = 'withheld_by_operator';

/** @returns a check for each entry */
export const withheldChecks = (entries: readonly WithheldEntry[]): readonly Check[] =>
  entries.map((entry) => ({
    name: 'profile' in entry ? `withheld-${entry.profile.replace(':', '-')}` : `withheld-${entry.id}`,
    statement: `${nameOf(entry)} is 451 ${CODE} by permalink, v1, feed or oEmbed`,
    rows: ['withheld 1'],
    run: async (service, { holds }) => {
      const targets = targetsOf(entry);
      for (const target of targets) {
        const answer = await service.read(target, 'application/json');
        holds(answer.status === 451 && codeOf(answer) === CODE, `${statusText(answer)}, expected 451 ${CODE}`);
      }
      return `${targets.length} paths`;
    },
  }));
