// Identifies accounts in a list by their id, because a handle can change.
import type { User } from '../model/user.ts';

export const stableUserId = ({ id, handle }: User): string => id ?? handle.toLowerCase();
