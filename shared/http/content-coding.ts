// Chooses a content coding by Accept-Encoding (RFC 9110 section 12.5.3).
import { weightIn } from './content-negotiation.ts';

/** In order of preference at equal weight. */
const codings = ['br', 'gzip'] as const;

export type Coding = (typeof codings)[number];

export interface CodingChoice {
  /** undefined: the body is not encoded. */
  readonly coding: Coding | undefined;
  /** The client rejects bodies that are not encoded. */
  readonly isRequired: boolean;
}

const IDENTITY: CodingChoice = { coding: undefined, isRequired: false };

type Weights = ReadonlyMap<string, number>;

/** No client lists more codings than exist; this is several times their number. */
const MAX_MEMBERS = 50;

const MEMBER = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*((?:;.*)?)$/;

/** The first of two equal names counts. `x-gzip` means gzip (RFC 9110 section 8.4.1.3). */
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

/** @returns the codings whose weight is not 0 */
export const acceptedCodings = (field: string): readonly Coding[] => {
  const weights = weightsIn(field);
  return codings.filter((coding) => weightOf(weights, coding) > 0);
};

/** Identity is acceptable unless the field rejects it by name or by `*`. @returns undefined: acceptable, but least preferred */
const identityWeight = (weights: Weights): number | undefined =>
  weights.get('identity') ?? (weights.get('*') === 0 ? 0 : undefined);

/** @param field Accept-Encoding. If it is absent or accepts no coding of this service, the body is not encoded. */
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
