// Recognizes secrets among the values of settings. Settings are kept in files, in templates and in shell histories, so
// no setting is a secret: it names a secret, or it is a hash.

interface SecretForm {
  readonly form: RegExp;
  readonly what: string;
  readonly instead: string;
}

const IN_SECRETS_MANAGER = 'put it into a secret of Secrets Manager and set the name of the secret';

const forms: readonly SecretForm[] = [
  { form: /pstn_[0-9A-Za-z]{20,}/, what: 'an API key of Postern', instead: 'send it to its user only' },
  { form: /^A{8,}[A-Za-z0-9%+/=]{20,}/, what: 'a bearer token of X', instead: IN_SECRETS_MANAGER },
  { form: /^\d{5,}-[A-Za-z0-9]{20,}$/, what: 'an access token of X', instead: IN_SECRETS_MANAGER },
  { form: /(?:AKIA|ASIA)[A-Z0-9]{16}/, what: 'an access key of AWS', instead: 'use a profile of AWS' },
  { form: /-----BEGIN [A-Z ]*PRIVATE KEY/, what: 'a private key', instead: 'remove it' },
  { form: /^[Bb]earer\s+\S/, what: 'a bearer token', instead: IN_SECRETS_MANAGER },
];

/** The API key of X has 25 characters and its secret 50, which other settings may have as well. */
const xApiForms: readonly SecretForm[] = [
  {
    form: /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?:[A-Za-z0-9]{25}|[A-Za-z0-9]{40,})$/,
    what: 'an API key of X',
    instead: IN_SECRETS_MANAGER,
  },
];

/** A token that `npm run keys` and the dashboard accept has 43 characters; its hash has 64 of other letters. */
const operatorForms: readonly SecretForm[] = [
  {
    form: /^(?:[A-Za-z0-9._-]{1,40}=)?(?![0-9a-f]{64}$)[A-Za-z0-9_-]{32,}=*$/,
    what: 'the token of an operator',
    instead: 'set its SHA-256, as 64 hexadecimal digits',
  },
];

const formsOf = (name: string): readonly SecretForm[] => {
  if (name === 'xApiTokenSecret') return [...forms, ...xApiForms];
  return name === 'adminTokenHashes' ? [...forms, ...operatorForms] : forms;
};

/** No setting has deeper values, and the schema rejects them. */
const MAX_DEPTH = 4;

const textsIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return value.split(',').map((text) => text.trim());
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((part) => textsIn(part, depth + 1));
};

/** @returns one sentence if the value looks like a secret; it does not repeat the value */
export const secretProblem = (name: string, value: unknown): string | undefined => {
  const texts = textsIn(value);
  const found = formsOf(name).find(({ form }) => texts.some((text) => form.test(text)));
  return found && `${name} looks like ${found.what}, which a setting must not contain: ${found.instead}`;
};
