// The frame of every page for people: no script, one inline style, readable on a phone, light and dark.

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;max-width:48rem;margin:0 auto;padding:1.5rem 1rem 4rem;overflow-wrap:anywhere}' +
  'nav a{margin-right:1rem}h1,h2{line-height:1.25}h2{margin-top:2rem}pre{overflow-x:auto;padding:.75rem;border:1px solid #8886;border-radius:.4rem}' +
  'code{font-size:.925em}table{border-collapse:collapse;display:block;overflow-x:auto}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #8886;overflow-wrap:normal}' +
  'a:focus-visible{outline:2px solid;outline-offset:2px}:target{scroll-margin-top:1rem}';

/** Nothing runs, nothing is loaded. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const htmlPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Documentation"><a href="{base_url}/docs">Postern</a><a href="{base_url}/docs/errors">Errors</a><a href="{base_url}/docs/versioning">Versioning</a></nav>
<main>
${body}</main>
</body>
</html>
`;
