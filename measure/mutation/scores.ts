// Prints the mutation score of each folder, and publishes it.
import { writeMeasurement } from '../write-measurement.ts';

export interface FolderScore {
  readonly folder: string;
  /** Mutants of the folder, of which a sample ran. */
  readonly total: number;
  readonly sampled: number;
  readonly noticed: number;
}

interface PublishOptions {
  /** In percent. */
  readonly bar: number;
  readonly command: string;
  readonly environment: string;
  readonly isPublished: boolean;
}

/** Standard deviations to each side of the mean that hold 95 % of a normal distribution. */
const Z = 1.96;

/**
 * The score interval of Wilson (1927).
 *
 * @returns the percents between which the score of the whole folder is with 95 % confidence
 */
export const intervalOf = (noticed: number, sampled: number): readonly [number, number] => {
  const share = noticed / sampled;
  const spread = Z ** 2 / sampled;
  const middle = share + spread / 2;
  const half = Math.sqrt(spread * (share * (1 - share) + spread / 4));
  return [((middle - half) / (1 + spread)) * 100, ((middle + half) / (1 + spread)) * 100];
};

/** @returns whether each folder reaches the bar @throws if no mutant ran */
export const publishScores = (
  scores: readonly FolderScore[],
  { bar, command, environment, isPublished }: PublishOptions,
): boolean => {
  const ran = scores.filter(({ sampled }) => sampled > 0);
  if (ran.length === 0) throw new Error('no mutant ran');
  const rows = ran.map(({ folder, total, sampled, noticed }) => {
    const [low, high] = intervalOf(noticed, sampled);
    const counts = [total, sampled, noticed].map(String);
    return [
      folder,
      ...counts,
      `${((noticed / sampled) * 100).toFixed(1)} %`,
      `${low.toFixed(0)} to ${high.toFixed(0)} %`,
    ];
  });
  const columns = ['Folder', 'Mutants', 'Sampled', 'Noticed', 'Score', 'Interval'];
  for (const row of [columns, ...rows]) console.log(row.map((text) => text.padEnd(20)).join(''));
  const lowest = Math.min(...ran.map(({ sampled, noticed }) => (noticed / sampled) * 100));
  console.log(`lowest mutation score of a folder: ${lowest.toFixed(1)} %, bar ${bar} %`);
  if (isPublished)
    writeMeasurement('mutation', {
      command,
      environment,
      bars: [{ name: 'mutation score, lowest folder', value: lowest, unit: '%', bar, direction: 'atLeast' }],
      tables: [{ columns, rows }],
    });
  return lowest >= bar;
};
