// Writes one section per problem code. The heading is the anchor that the `type` of a problem document names.
import { type PlatformProblem, platformProblems } from '../../contract/platform-problems.ts';
import { type ProblemRow, problems } from '../../contract/problems.ts';

const retryText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : ` The answer carries \`Retry-After: ${seconds}\`.`;

const reasonLines = (resolutions: ProblemRow['resolutions'] = {}): string =>
  Object.entries(resolutions)
    .map(([reason, resolution], index) => `${index === 0 ? '\n' : ''}\n- \`${reason}\`: ${resolution}`)
    .join('');

const errorSection = (
  level: '##' | '###',
  code: string,
  {
    status,
    title,
    resolution,
    resolutions,
    retryAfter,
  }: PlatformProblem & Pick<ProblemRow, 'retryAfter' | 'resolutions'>,
): string =>
  `${level} ${code}\n\n**${status}** ${title}. ${resolution}${retryText(retryAfter)}${reasonLines(resolutions)}`;

export const errorSections = {
  errors: (): string =>
    Object.entries<ProblemRow>(problems)
      .map(([code, row]) => errorSection('##', code, row))
      .join('\n\n'),
  platformErrors: (): string =>
    Object.entries<PlatformProblem>(platformProblems)
      .map(([code, row]) => errorSection('###', code, row))
      .join('\n\n'),
} as const;
