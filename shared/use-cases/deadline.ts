// What one request may take in all, whatever it reads.

export const USE_CASE_MILLISECONDS = 8000;
