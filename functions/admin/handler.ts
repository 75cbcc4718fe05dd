import { page } from 'postern:admin-page';
import { liveAdmin } from '../../shared/live/admin.ts';
import { adminSurface } from './surface.ts';

export const handler = adminSurface(page, liveAdmin());
