// The converter with which `npm run measure -- bench` compares the handler.
export { default as TurndownService } from 'turndown';
