import { accessControlFromEnvironment } from '../../shared/composition/access-control.ts';
import { listsFromEnvironment } from '../../shared/composition/lists.ts';
import { picturesFromEnvironment } from '../../shared/composition/pictures.ts';
import { createLegacyHandler } from './create-handler.ts';

export const handler = createLegacyHandler({
  ...listsFromEnvironment(),
  ...accessControlFromEnvironment(),
  ...picturesFromEnvironment(),
});
