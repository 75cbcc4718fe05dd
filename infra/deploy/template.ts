// Reads CloudFormation templates. Both templates come from outside: the deployed one from the account, the new one from
// the cloud assembly.

export type Value = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asObject = (value: unknown): Value => (isObject(value) ? value : {});

export interface Resource {
  readonly type: string;
  readonly properties: Value;
  /** The path of the construct without the stack, such as `Tables/keys/Resource`. */
  readonly path: string;
}

export interface Template {
  /** The document as CloudFormation has it. */
  readonly document: Value;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly metadata: Value;
}

const resourceOf = (value: unknown): Resource => {
  const { Type, Properties, Metadata } = asObject(value);
  const path = asObject(Metadata)['aws:cdk:path'];
  return {
    type: typeof Type === 'string' ? Type : '',
    properties: asObject(Properties),
    path: typeof path === 'string' ? path.replace(/^[^/]*\//, '') : '',
  };
};

export const parseTemplate = (document: unknown): Template => {
  const { Resources, Metadata, ...rest } = asObject(document);
  return {
    document: { ...rest, Resources: asObject(Resources), Metadata: asObject(Metadata) },
    resources: new Map(Object.entries(asObject(Resources)).map(([id, value]) => [id, resourceOf(value)])),
    metadata: asObject(Metadata),
  };
};

/** The CDK writes JSON. A stack of another tool may have YAML, which becomes an empty template. */
export const parseTemplateText = (text: string): Template => {
  try {
    return parseTemplate(JSON.parse(text));
  } catch {
    return parseTemplate(undefined); // refused as a stack that is not ours
  }
};

export const resourcesOfType = ({ resources }: Template, type: string): readonly (readonly [string, Resource])[] =>
  [...resources].filter(([, resource]) => resource.type === type);

/** The name of a resource in words: `the table keys`. */
export const nameOf = (id: string, { type, path }: Resource): string => {
  const noun = (type.split('::').at(-1) ?? type).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `the ${noun} ${
    path
      .replace(/\/(?:Resource|Default)$/, '')
      .split('/')
      .at(-1) || id
  }`;
};

export const textProperty = ({ properties }: Resource, name: string): string | undefined => {
  const value = properties[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of a list property; tokens of CloudFormation are left out. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
