// Defines the instants in bodies.
import * as z from 'zod';

/** RFC 3339 in UTC, such as `2026-09-15T00:00:00Z`. */
export const Instant = z.string().meta({ format: 'date-time' });
