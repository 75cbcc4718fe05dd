// Chooses a content coding by Accept-Encoding (RFC 9110 section 12.5.3).
import { weightIn } from './content-negotiation.ts';

/** What we encode with; the first is preferred at equal weight. */
const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

export interface CodingChoice {
  /** undefined: the body goes out as it is. */
  readonly coding: Coding | undefined;
  /** The client refuses what is not encoded, and takes what is. */
  readonly isRequired: boolean;
}

const IDENTITY: CodingChoice = { coding: undefined, isRequired: false };

type Weights = ReadonlyMap<string, number>;

/** As many as there are codings, several times over. */
const MAX_MEMBERS = 50;

const MEMBER = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*((?:;.*)?)$/;

/** Of a name that comes twice the first counts. `x-gzip` is gzip (section 8.4.1.3). */
const weightsIn = (field: string): Weights => {
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',', MAX_MEMBERS)) {
    const [, name = '', parameters = ''] = MEMBER.exec(member) ?? [];
    const coding = name === 'x-gzip' ? 'gzip' : name;
    if (coding !== '' && !weights.has(coding)) weights.set(coding, weightIn(parameters));
  }
  return weights;
};

const weightOf = (weights: Weights, coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;

/** @returns those that the field takes, of whatever weight */
export const acceptedCodings = (field: string): readonly Coding[] => {
  const weights = weightsIn(field);
  return codings.filter((coding) => weightOf(weights, coding) > 0);
};

/** A body as it is stays acceptable until it is refused by name or by `*`; unnamed, it is what is wanted least. */
const identityWeight = (weights: Weights): number | undefined =>
  weights.get('identity') ?? (weights.get('*') === 0 ? 0 : undefined);

/** @param field Accept-Encoding; absent, or when nothing of ours is acceptable, the body goes out as it is */
export const codingFor = (field: string | undefined): CodingChoice => {
  if (field === undefined || field === '') return IDENTITY;
  const weights = weightsIn(field);
  const best = codings.reduce((soFar, coding) =>
    weightOf(weights, coding) > weightOf(weights, soFar) ? coding : soFar,
  );
  const weight = weightOf(weights, best);
  const identity = identityWeight(weights);
  if (weight === 0 || weight < (identity ?? 0)) return IDENTITY;
  return { coding: best, isRequired: identity === 0 };
};
