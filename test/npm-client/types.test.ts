// Compares the npm client with the description that the service serves.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../client/src/index.ts';
import { methodRows } from '../../client/src/method-rows.ts';
import { operationsOf } from '../../client/tools/description.ts';
import { methodsOf, methodTable, methodTypes } from '../../client/tools/methods.ts';
import { openapiTypes } from '../../client/tools/openapi-types.ts';
import { createTestApp } from '../support/test-app.ts';

const { body } = await createTestApp().get('/openapi.json');
const description = JSON.parse(body);
const methods = Object.keys(createClient({ baseUrl: 'https://postern.example' }));

test('[discovery 4] the types of the npm client are those of the served description', async () => {
  await expect(await openapiTypes(description)).toMatchFileSnapshot('../../client/src/openapi.ts');
});

describe('[releases 7] the methods of the npm client', () => {
  test('are those of the served description', async () => {
    await expect(methodTypes(description)).toMatchFileSnapshot('../../client/src/methods.ts');
    await expect(methodTable(description)).toMatchFileSnapshot('../../client/src/method-rows.ts');
  });

  test('read each v1 route, and one of them reads it as Markdown', () => {
    const described = Object.keys(description.paths).filter((path) => path.startsWith('/api/v1/'));
    expect(described.length).toBeGreaterThan(5);
    expect(Object.values(methodRows).map(({ route }) => route)).toEqual(described);
    expect(methods).toEqual([...Object.keys(methodRows), 'markdown']);
  });

  test('have a line each in the README', () => {
    const readme = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8');
    const listed = [...readme.matchAll(/^(?:\| )?`(\w+)\(/gm)].map(([, name]) => name);
    expect(listed).toEqual(methods);
  });

  test('keep the names that callers know', () => {
    const names = methodsOf(description).map(({ name, operationId }) => [operationId, name]);
    expect(Object.fromEntries(names)).toMatchObject({
      readPost: 'post',
      lookupPosts: 'lookup',
      listReplies: 'replies',
      listQuotes: 'quotes',
      listReposts: 'reposts',
      mergeTimelines: 'timeline',
      readProfile: 'profile',
      readProfileById: 'profileById',
      listPosts: 'posts',
      listFollowers: 'followers',
      listFollowing: 'following',
      readXList: 'listPosts',
      searchPosts: 'search',
      readOembed: 'oembed',
    });
  });

  test('include one for a new read, without code for it', () => {
    const [path, members] = ['/api/v1/lists/{id}/members', { ...description.paths['/api/v1/posts/{id}/reposts'].get }];
    const added = { ...members, operationId: 'listMembers', summary: 'List the members of a list' };
    const later = { ...description, paths: { [path]: { get: added } } };
    expect(methodsOf(later)).toEqual([
      expect.objectContaining({ name: 'members', route: path, subject: 'list', parameter: 'id', result: 'list' }),
    ]);
    expect(methodTypes(later)).toContain(
      '  members(list: string, options?: MembersOptions): List<User, RepostersBody>;\n',
    );
  });

  test('cannot be made of a read without a subject', () => {
    const [operation] = operationsOf(description);
    const { get } = description.paths[operation?.path ?? ''];
    const later = { ...description, paths: { '/api/v1/trends': { get: { ...get, parameters: [] } } } };
    expect(() => methodsOf(later)).toThrow('readPost has no subject');
  });
});
