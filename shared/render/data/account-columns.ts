// Names the columns of accounts: every member of an account in JSON, with the names of its members.
// The order is a promise: a new column is the last one.
import type { User } from '../../model/user.ts';
import type { CsvColumn, CsvValue } from './write-csv.ts';

type UserColumn = CsvColumn<User>;

const member = (name: keyof User & string): UserColumn => ({ name, valueIn: (user) => user[name] });

const figure = (name: keyof NonNullable<User['metrics']>): UserColumn => ({
  name,
  valueIn: ({ metrics }) => metrics?.[name],
});

export const ACCOUNT_COLUMNS: readonly UserColumn[] = [
  member('id'),
  member('handle'),
  member('name'),
  member('url'),
  member('bio'),
  member('location'),
  member('website'),
  member('avatar_url'),
  member('banner_url'),
  member('created_at'),
  member('verified'),
  member('verified_type'),
  member('verified_at'),
  member('protected'),
  figure('followers'),
  figure('following'),
  figure('posts'),
  figure('likes'),
  figure('media'),
  member('about'),
];

/** @returns the columns of an account that an item has, with a prefix, apart from the handle */
export const accountColumns = <Item>(
  prefix: string,
  accountOf: (item: Item) => User | undefined,
): readonly CsvColumn<Item>[] =>
  ACCOUNT_COLUMNS.filter(({ name }) => name !== 'handle').map(({ name, valueIn }) => ({
    name: `${prefix}_${name}`,
    valueIn: (item): CsvValue => {
      const account = accountOf(item);
      return account && valueIn(account);
    },
  }));
