// Compares the schemas of the published bodies with a golden file. `npm run update -- golden` writes the file again; review its
// diff.
import { expect, test } from 'vitest';
import { jsonSchemas } from '../../../shared/model/schemas.ts';

test('the schemas of all bodies are those of the golden file', async () => {
  const schemas = jsonSchemas('#/components/schemas/');
  await expect(`${JSON.stringify(schemas, null, 2)}\n`).toMatchFileSnapshot('../../golden/model/schemas.json');
});
