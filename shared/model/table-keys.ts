// Lists the keys of a constant table with their type.

/** @param table a constant: an object that was assembled at run time may have more keys than its type */
export const keysOf = <Table extends object>(table: Table): readonly (keyof Table & string)[] =>
  Object.keys(table) as (keyof Table & string)[]; // a constant has exactly the keys of its type
