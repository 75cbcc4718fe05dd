// Tests the layout of the programs beside curl commands. example-programs.test.ts runs them.
import { expect, test } from 'vitest';
import { type ProgramLanguage, programOf } from '../../../shared/publish/code-examples/programs.ts';

const SEARCH = {
  method: 'GET',
  target: '/api/v1/search?q=low+tide&limit=5',
  headers: { Authorization: 'Bearer key' },
  isError: false,
  printsBody: true,
};

const PROGRAMS: Readonly<Record<ProgramLanguage, string>> = {
  ts: `
const query = new URLSearchParams({ q: 'low tide', limit: '5' });
const response = await fetch(\`{base_url}/api/v1/search?\${query}\`, { headers: { Authorization: 'Bearer key' } });
console.log(await response.text());`,
  python: `
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"q": "low tide", "limit": "5"})
request = Request("{base_url}/api/v1/search?" + query, headers={"Authorization": "Bearer key"})
with urlopen(request) as response:
    print(response.read().decode())`,
  go: `
package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	query := url.Values{"q": {"low tide"}, "limit": {"5"}}
	request, err := http.NewRequest("GET", "{base_url}/api/v1/search?"+query.Encode(), nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer key")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}`,
};

test.each(['ts', 'python', 'go'] as const)('programOf() writes a search with a key in %s', (language) => {
  expect(programOf(language, [SEARCH])).toBe(PROGRAMS[language].trimStart());
});

test('programOf() throws without a request', () => {
  expect(() => programOf('ts', [])).toThrow('a program needs a request');
});
