// Defines the maximum duration of every use case.
export const USE_CASE_MILLISECONDS = 8000;
