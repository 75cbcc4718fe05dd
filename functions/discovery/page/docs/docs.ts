// Runs the documentation pages: copies code, remembers the language, sends the requests of examples, and searches. The
// pages are complete without it.
import { startCopying } from './code-copy.ts';
import { startChoosing } from './languages.ts';
import { startRunning } from './run.ts';
import { startSearching } from './search.ts';

document.documentElement.classList.add('scripted');
startCopying();
startChoosing();
startRunning();
startSearching();
