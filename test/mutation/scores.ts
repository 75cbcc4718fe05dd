// Prints the mutation score of each folder, and publishes it.
import { writeMeasurement } from '../tools/write-measurement.ts';

export interface FolderScore {
  readonly folder: string;
  /** Mutants of the folder, of which a sample ran. */
  readonly total: number;
  readonly sampled: number;
  readonly noticed: number;
  readonly equivalent: number;
  readonly survivors: readonly string[];
}

interface PublishOptions {
  /** In percent. */
  readonly bar: number;
  readonly command: string;
  readonly environment: string;
  readonly isPublished: boolean;
}

/** @returns percent of the mutants that a test can notice; undefined: no such mutant ran */
const percentOf = ({ sampled, noticed, equivalent }: FolderScore): number | undefined =>
  sampled === equivalent ? undefined : (noticed / (sampled - equivalent)) * 100;

/** Standard deviations to each side of the mean that hold 95 % of a normal distribution. */
const Z = 1.96;

/**
 * The score interval of Wilson (1927).
 *
 * @returns the percents between which the score of the whole folder is with 95 % confidence
 */
export const intervalOf = (noticed: number, noticeable: number): readonly [number, number] => {
  const share = noticed / noticeable;
  const spread = Z ** 2 / noticeable;
  const middle = share + spread / 2;
  const half = Math.sqrt(spread * (share * (1 - share) + spread / 4));
  return [((middle - half) / (1 + spread)) * 100, ((middle + half) / (1 + spread)) * 100];
};

const intervalText = ({ sampled, noticed, equivalent }: FolderScore): string => {
  if (sampled === equivalent) return '-';
  const [low, high] = intervalOf(noticed, sampled - equivalent);
  return `${low.toFixed(0)} to ${high.toFixed(0)} %`;
};

const percentText = (percent: number | undefined, digits: number): string =>
  percent === undefined ? '-' : `${percent.toFixed(digits)} %`;

/** @returns whether each folder reaches the bar @throws if no mutant ran */
export const publishScores = (
  scores: readonly FolderScore[],
  { bar, command, environment, isPublished }: PublishOptions,
): boolean => {
  for (const { survivors } of scores) for (const survivor of survivors) console.log(`survived: ${survivor}`);
  for (const score of scores) {
    const { folder, total, sampled, noticed, equivalent } = score;
    console.log(
      `${folder.padEnd(22)} ${percentText(percentOf(score), 0).padStart(5)}: ${noticed} of ${sampled} noticed, ${equivalent} equivalent, ${total} in all`,
    );
  }
  const percents = scores.map(percentOf).filter((percent) => percent !== undefined);
  if (percents.length === 0) throw new Error('no mutant ran');
  const lowest = Math.min(...percents);
  console.log(`lowest mutation score of a folder: ${lowest.toFixed(1)} %, bar ${bar} %`);
  if (isPublished)
    writeMeasurement('mutation', {
      command,
      environment,
      bars: [{ name: 'mutation score, lowest folder', value: lowest, unit: '%', bar, direction: 'atLeast' }],
      tables: [
        {
          columns: ['Folder', 'Mutants', 'Sampled', 'Noticed', 'Equivalent', 'Score', 'Interval'],
          rows: scores.map((score) => [
            score.folder,
            ...[score.total, score.sampled, score.noticed, score.equivalent].map(String),
            percentText(percentOf(score), 1),
            intervalText(score),
          ]),
        },
      ],
    });
  return lowest >= bar;
};
