// Reads the operations of version 1 from the OpenAPI description of the service.
import { readFileSync } from 'node:fs';
import service from '../../package.json' with { type: 'json' };
import { releaseOf } from '../../shared/publish/document.ts';
import { openapi } from '../../shared/publish/openapi/index.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: readonly unknown[] };
}

type Reference = { readonly $ref: string };

interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: Reference }>>;
  readonly 'x-problem-codes'?: readonly string[];
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly items?: Reference }>>;
}

interface ReadOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

/** The part of /openapi.json that the client is made of. */
export interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, { readonly get?: ReadOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/** A GET of version 1, without references to parameters and responses. */
export interface Operation extends Pick<ReadOperation, 'operationId' | 'summary'> {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Of its JSON. */
  readonly schema: Reference;
  readonly problemCodes: readonly string[];
}

export const referredName = ({ $ref }: Reference): string => $ref.slice($ref.lastIndexOf('/') + 1);

const resolved = <T extends object>(value: T | Reference, among: Readonly<Record<string, T>>): T => {
  if (!('$ref' in value)) return value;
  const target = among[referredName(value)];
  if (target === undefined) throw new Error(`${value.$ref} has no target`);
  return target;
};

export const operationsOf = ({ paths, components }: Description): readonly Operation[] =>
  Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined || !path.startsWith('/api/v1/')) return [];
    const { operationId, summary, parameters, responses } = get;
    const answers = Object.entries(responses).map(
      ([status, answer]) => [status, resolved(answer, components.responses)] as const,
    );
    const json = new Map(answers).get('200')?.content?.['application/json'];
    if (json === undefined) throw new Error(`${operationId} has no JSON`);
    return {
      path,
      operationId,
      summary,
      parameters: parameters
        .map((parameter) => resolved(parameter, components.parameters))
        .filter((parameter) => parameter.in !== 'header'),
      schema: json.schema,
      problemCodes: answers.flatMap(([, answer]) => answer['x-problem-codes'] ?? []),
    };
  });

/** @returns the description of this version of the service */
export const readDescription = (): Description => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  return JSON.parse(openapi(releaseOf(service.version, changelog)));
};
