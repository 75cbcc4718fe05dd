// Looks names from a page up in the tables of the contract.

export const isNameIn = <Name extends string>(rows: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(rows, name);

/** @param kind the kind of name, for the message @throws an error with all known names */
export const requireName = <Name extends string>(
  rows: Readonly<Record<Name, unknown>>,
  name: string,
  kind: string,
): Name => {
  if (isNameIn(rows, name)) return name;
  throw new Error(`there is no ${kind} "${name}"; known: ${Object.keys(rows).join(', ')}`);
};
