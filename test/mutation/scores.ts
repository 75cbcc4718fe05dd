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

/** In percent of the mutants that a test can notice. */
export const percentOf = ({ sampled, noticed, equivalent }: FolderScore): number =>
  sampled === equivalent ? 100 : (noticed / (sampled - equivalent)) * 100;

/** @returns whether each folder reaches the bar */
export const publishScores = (
  scores: readonly FolderScore[],
  { bar, command, environment, isPublished }: PublishOptions,
): boolean => {
  for (const { survivors } of scores) for (const survivor of survivors) console.log(`survived: ${survivor}`);
  for (const score of scores) {
    const { folder, total, sampled, noticed, equivalent } = score;
    console.log(
      `${folder.padEnd(22)} ${percentOf(score).toFixed(0).padStart(3)} %: ${noticed} of ${sampled} noticed, ${equivalent} equivalent, ${total} in all`,
    );
  }
  const lowest = Math.min(...scores.map(percentOf));
  console.log(`lowest mutation score of a folder: ${lowest.toFixed(1)} %, bar ${bar} %`);
  if (isPublished)
    writeMeasurement('mutation', {
      command,
      environment,
      bars: [{ name: 'mutation score, lowest folder', value: lowest, unit: '%', bar, direction: 'atLeast' }],
      tables: [
        {
          columns: ['Folder', 'Mutants', 'Sampled', 'Noticed', 'Equivalent', 'Score'],
          rows: scores.map((score) => [
            score.folder,
            ...[score.total, score.sampled, score.noticed, score.equivalent].map(String),
            `${percentOf(score).toFixed(1)} %`,
          ]),
        },
      ],
    });
  return lowest >= bar;
};
