// Names an account in a request to a provider, by its handle or by its id.
import { isSameHandle } from './handle.ts';
import type { User } from './user.ts';

/** A handle, or `id:` and the id of the account. No handle has a colon. */
export type UserName = string;

const ID_NAME = /^id:([0-9]+)$/;

export const nameOfId = (id: string): UserName => `id:${id}`;

/** @returns undefined if the name is a handle */
export const idOfName = (name: UserName): string | undefined => ID_NAME.exec(name)?.[1];

export const isNamed = ({ handle, id }: Pick<User, 'handle' | 'id'>, name: UserName): boolean => {
  const wantedId = idOfName(name);
  return wantedId === undefined ? isSameHandle(handle, name) : id === wantedId;
};
