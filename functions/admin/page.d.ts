// Provided by infra/build/build.ts when the bundle is built.
declare module 'postern:admin-page' {
  export const page: import('./create-handler.ts').AdminPage;
}
