// What one request may take in all, whatever it reads.

export const REQUEST_MILLISECONDS = 8000;
