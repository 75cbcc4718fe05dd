// What tells accounts in a list apart: the id, which stays when the handle changes.
import type { User } from '../model/user.ts';

export const stableUserId = ({ id, handle }: User): string => id ?? handle.toLowerCase();
