/** An error that the operator can correct: it is printed as its message, without a stack trace. */
export class SetupError extends Error {}
