// Names accounts as providers do: by the handle, by the id, or by both.

export interface AccountNames {
  readonly handle?: string | undefined;
  /** It stays if the handle changes. */
  readonly id?: string | undefined;
}

// Members that name accounts which the contract does not name: what is withheld depends on them. They are symbols, as PLACES.

/** The account that gives a broadcast. */
export const BROADCASTER: unique symbol = Symbol('broadcaster');

/** The account that wrote the answered post, if the provider has its id. */
export const ANSWERED: unique symbol = Symbol('answered');
