// Evaluates IAM policies: the subset of the logic that the stack uses (IAM User Guide, "Policy evaluation logic" and
// "IAM JSON policy elements"). Anything that is not implemented throws, because a guess would prove nothing.

/** A statement of a policy document, with every value resolved to text. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  /** Services by name, other principals by ARN, `*` for everyone; undefined in the policy of a role. */
  readonly principals?: { readonly services: readonly string[]; readonly others: readonly string[] };
  /** May contain `*` and `?`; case-insensitive. */
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Values by condition key by operator. One value must match; all keys and operators must match. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface AccessRequest {
  /** A service, the role of a function, or a caller without a signature. */
  readonly principal: { readonly service: string } | { readonly role: string } | 'anonymous';
  readonly action: string;
  /** The ARN of the resource. */
  readonly resource: string;
  /** The condition keys of the request; multivalued keys have several values. */
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** `implicit`: no statement applies. */
export type Decision = 'allowed' | 'denied' | 'implicit';

/** `*` matches any text, also with slashes; `?` matches one character. */
const matchesWildcard = (pattern: string, text: string): boolean => {
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
};

const ARN_PARTS = 6;

/** The last of the six parts may contain colons. */
const arnParts = (arn: string): readonly string[] => {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
};

/** Each of the six parts is compared separately: a `*` in one part does not match the next part. */
const matchesArn = (pattern: string, arn: string): boolean => {
  const [wanted, given] = [arnParts(pattern), arnParts(arn)];
  return wanted.every((part, index) => matchesWildcard(part, given[index] ?? ''));
};

type Comparison = (wanted: string, given: string) => boolean;

const comparisons = new Map<string, Comparison>([
  ['StringEquals', (wanted, given) => wanted === given],
  ['StringLike', matchesWildcard],
  ['ArnEquals', matchesArn],
  ['ArnLike', matchesArn],
  ['Bool', (wanted, given) => wanted.toLowerCase() === given.toLowerCase()],
]);

const comparisonOf = (operator: string): Comparison => {
  const comparison = comparisons.get(operator);
  if (comparison === undefined) throw new Error(`the condition operator ${operator} is not implemented`);
  return comparison;
};

const FOR_ALL = 'ForAllValues:';

/** A missing key does not match, except under `ForAllValues`. */
const holds = (operator: string, wanted: readonly string[], given: readonly string[] | undefined): boolean => {
  const forAll = operator.startsWith(FOR_ALL);
  const compare = comparisonOf(forAll ? operator.slice(FOR_ALL.length) : operator);
  const matches = (value: string): boolean => wanted.some((pattern) => compare(pattern, value));
  if (forAll) return (given ?? []).every(matches);
  return given?.some(matches) ?? false;
};

/** Condition keys are case-insensitive. */
const valuesOf = (context: AccessRequest['context'] = {}, key: string): readonly string[] | undefined => {
  const found = Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
  return found === undefined ? undefined : [found].flat();
};

const isMet = (conditions: Statement['conditions'], context: AccessRequest['context']): boolean =>
  Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, wanted, valuesOf(context, key))),
  );

/** `*` in a resource policy is everyone, including services. */
const concerns = ({ principals }: Statement, principal: AccessRequest['principal']): boolean => {
  if (principals === undefined) return typeof principal === 'object' && 'role' in principal;
  if (principals.others.includes('*')) return true;
  if (principal === 'anonymous') return false;
  return 'service' in principal
    ? principals.services.includes(principal.service)
    : principals.others.includes(principal.role);
};

const applies = (statement: Statement, { principal, action, resource, context }: AccessRequest): boolean =>
  concerns(statement, principal) &&
  statement.actions.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase())) &&
  statement.resources.some((pattern) => pattern === '*' || matchesArn(pattern, resource)) &&
  isMet(statement.conditions, context);

/** An explicit Deny wins over every Allow. @param statements of one policy, or of all policies of a role */
export const evaluate = (statements: readonly Statement[], request: AccessRequest): Decision => {
  const applying = statements.filter((statement) => applies(statement, request));
  if (applying.some(({ effect }) => effect === 'Deny')) return 'denied';
  return applying.length > 0 ? 'allowed' : 'implicit';
};
