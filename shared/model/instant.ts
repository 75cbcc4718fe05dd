// Moments in answers.
import * as z from 'zod';

/** RFC 3339, UTC: `2026-09-15T00:00:00Z`. */
export const Instant = z.string().meta({ format: 'date-time' });
