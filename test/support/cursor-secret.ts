/** Signs the cursors of tests, also those that were recorded from releases (fixtures/cursors). */
export const CURSOR_SECRET = 'a secret of the tests';
