// The length of a day of UTC, which has no leap seconds in the clocks of computers.
export const DAY_MILLISECONDS = 86_400_000;
