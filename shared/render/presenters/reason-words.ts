// Says why a post or a profile cannot be read.
import type { TombstoneReason } from '../../model/post.ts';
import type { ErrorPage } from '../html/error-page.ts';
import {
  answersToAuthor,
  type ErrorFacts,
  type FindWay,
  mentionsOfHandle,
  onX,
  onXForFollowers,
  peopleOfThisName,
  postsOfAuthor,
  profileOfAuthor,
} from './error-ways.ts';

// Defines how the page of a problem is worded.

/** At most three of the ways are shown. */
export interface Wording extends Pick<ErrorPage, 'state' | 'title' | 'heading' | 'text'> {
  readonly ways: readonly FindWay[];
}

export const say = (
  state: ErrorPage['state'],
  sentence: string,
  text: string,
  ...ways: readonly FindWay[]
): (() => Wording) => {
  const wording = { state, heading: [sentence], text, ways };
  return () => wording;
};

const WITHOUT_ACCOUNT = 'Postern reads without an account and sees what every visitor sees.';

const THIS_ACCOUNT = 'This account';

export const missingPosts: Readonly<Record<TombstoneReason, () => Wording>> = {
  deleted: say(
    'walled',
    'This post was deleted.',
    'X says that it was taken down. Postern keeps no copies, so there is nothing to show.',
    postsOfAuthor,
    answersToAuthor,
    onX,
  ),
  suspended: say(
    'walled',
    'The author’s account is suspended.',
    'X shows no posts of a suspended account. They can come back if the suspension ends.',
    answersToAuthor,
    onX,
  ),
  withheld: say(
    'walled',
    'X does not show this post to the public.',
    `A limit of age, a block or a legal demand can be the reason. ${WITHOUT_ACCOUNT}`,
    postsOfAuthor,
    answersToAuthor,
    onX,
  ),
  protected: say(
    'shut',
    'Only followers can read this post.',
    `Its author limits who can read it. ${WITHOUT_ACCOUNT}`,
    profileOfAuthor,
    onXForFollowers,
  ),
  unknown: say(
    'walled',
    'X does not give this post, and not why.',
    'There may be no post with this number, or it is not public. A digit can be missing at the end of the link.',
    postsOfAuthor,
    answersToAuthor,
    onX,
  ),
};

/** The name within a sentence. */
const within = (name: string): string => (name === THIS_ACCOUNT ? 'this account' : name);

const missingProfiles: Readonly<Record<TombstoneReason, (name: string) => Pick<Wording, 'heading' | 'text'>>> = {
  deleted: (name) => ({
    heading: [`${name} no longer exists.`],
    text: 'X says that the account was deactivated or deleted. Handles change: its owner may have another one now.',
  }),
  suspended: (name) => ({
    heading: [`${name} is suspended.`],
    text: 'X shows nothing of a suspended account. It can come back if the suspension ends.',
  }),
  withheld: (name) => ({ heading: [`X does not show ${within(name)} to the public.`], text: WITHOUT_ACCOUNT }),
  protected: (name) => ({ heading: [`Only followers can see ${within(name)}.`], text: WITHOUT_ACCOUNT }),
  unknown: (name) =>
    name === THIS_ACCOUNT
      ? {
          heading: ['There is no such account.'],
          text: 'X has no account with this number, or does not show it to the public.',
        }
      : {
          heading: [`No account is called ${name}.`],
          text: 'There is no profile with this handle, or X does not show it to the public. Handles change: its owner may have another one now.',
        },
};

export const profileNotFound = ({ handle, reason = 'unknown' }: ErrorFacts): Wording => ({
  state: 'walled',
  ...missingProfiles[reason](handle === undefined ? THIS_ACCOUNT : `@${handle}`),
  ways: [peopleOfThisName, mentionsOfHandle, onX],
});

export const profileProtected = ({ handle }: ErrorFacts): Wording => ({
  state: 'shut',
  heading: ['Only followers can see this.'],
  text: `${handle === undefined ? 'The owner of the account' : `@${handle}`} limits who can read the account. ${WITHOUT_ACCOUNT}`,
  ways: [profileOfAuthor, onXForFollowers],
});
