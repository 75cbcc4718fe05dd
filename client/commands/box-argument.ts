// Reads an argument of `npm run read` and `npm run export`: the text of the box, apart from words.
import { CommandError } from '../../infra/command/output.ts';
import { DEFAULT_ORIGIN } from '../../infra/local/local-environment.ts';
import { type Environment, readVariable } from '../../shared/composition/environment.ts';
import { problems } from '../../shared/contract/problem-rows.ts';
import { parseText, type TextMeaning } from '../../shared/model/account-list.ts';
import { parseHandle } from '../../shared/model/handle.ts';
import { visibleLine } from '../../shared/model/visible-text.ts';
import { env } from '../../shared/settings/environment-variables.ts';

export type BoxArgument = Exclude<TextMeaning, { readonly kind: 'error' }>;

/** @returns the origin of the links of the service */
export const originOfLinks = (environment: Environment): string => {
  const baseUrl = readVariable(environment, env.baseUrl) ?? DEFAULT_ORIGIN;
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : DEFAULT_ORIGIN;
};

const help = (text: string): string =>
  parseHandle(text) === undefined
    ? 'To search for words, pass the link of the search: https://x.com/search?q=WORDS.'
    : `For the account, pass @${text}. For a post with a short id, pass its link.`;

/**
 * Words are rejected, because a mistyped handle or link would otherwise become a search.
 *
 * @param origin of the service, whose links are also read
 * @throws CommandError if the text has another meaning or none
 */
export const parseBoxArgument = (text: string, origin?: string): BoxArgument => {
  const meaning = parseText(text, origin);
  if (meaning?.kind === 'error') {
    const { title, resolution } = problems[meaning.code];
    throw new CommandError(`${visibleLine(text)}: ${title}\n${resolution}`);
  }
  if (meaning !== undefined && (meaning.kind !== 'search' || meaning.query !== text.toWellFormed().trim()))
    return meaning;
  throw new CommandError(`${visibleLine(text)} is no link on X, no @handle and no id of a post.\n${help(text)}`);
};
