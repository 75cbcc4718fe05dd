// Compares the generated types of the npm client with the description that the service serves.
import { expect, test } from 'vitest';
import { openapiTypes } from '../../client/tools/openapi-types.ts';
import { createTestApp } from '../support/test-app.ts';

test('[spec 4.4 #78] the types of the npm client are those of the served description', async () => {
  const { body } = await createTestApp().get('/openapi.json');
  await expect(openapiTypes(JSON.parse(body))).toMatchFileSnapshot('../../client/src/openapi.ts');
});
