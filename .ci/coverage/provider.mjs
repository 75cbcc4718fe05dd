// Loads the provider from the packages of this folder; it takes vitest from those of the project.
export { default } from '@vitest/coverage-v8';
