// Compares the schemas of the published bodies with a golden file, and parses what they must reject. `npm run update -- golden`
// writes the file again; review its diff.
import { describe, expect, test } from 'vitest';
import { Post, TextStyle, Tombstone, TombstoneReason } from '../../../shared/model/post.ts';
import { jsonSchemas } from '../../../shared/model/schemas.ts';
import { postOf } from '../../support/post-models.ts';

const PREFIX = '#/components/schemas/';

test('the schemas of all bodies are those of the golden file', async () => {
  await expect(`${JSON.stringify(jsonSchemas(PREFIX), null, 2)}\n`).toMatchFileSnapshot(
    '../../golden/model/schemas.json',
  );
});

test('each reference begins with the prefix and names a schema', () => {
  const schemas = jsonSchemas('https://a.example/');
  const refs = [...JSON.stringify(schemas).matchAll(/"(https:\/\/a\.example\/[^"]*)"/g)].map(([, ref = '']) => ref);
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) expect(schemas).toHaveProperty(ref.slice('https://a.example/'.length));
});

describe('a schema rejects what the contract excludes', () => {
  test.each<[string, unknown]>([
    ['an id that is a number', { ...postOf(), id: 20 }],
    ['a post without a text', { ...postOf(), text: undefined }],
    ['a count with a fraction', { ...postOf(), metrics: { ...postOf().metrics, likes: 1.5 } }],
    ['a medium of another type', { ...postOf(), media: [{ type: 'audio', url: 'https://a.example/' }] }],
  ])('%s', (_, value) => {
    expect(Post.safeParse(value).success).toBe(false);
  });

  test('and accepts what it includes', () => {
    expect(Post.safeParse(postOf()).success).toBe(true);
    expect(TombstoneReason.options).toEqual(['deleted', 'protected', 'suspended', 'withheld', 'unknown']);
    expect(Tombstone.safeParse({ id: '1', unavailable: true, reason: 'withheld' }).success).toBe(true);
    expect(TextStyle.safeParse({ type: 'underline', start: 0, end: 1 }).success).toBe(false);
  });
});
