import { page } from 'postern:admin-page';
import { adminFromEnvironment } from '../../shared/composition/admin.ts';
import { createAdminHandler } from './create-handler.ts';

export const handler = createAdminHandler(page, adminFromEnvironment());
