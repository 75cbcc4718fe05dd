// `npm run update -- readme`: writes the generated sections of docs/ (settings, alarms, costs, measurements, variables), the
// methods in the README of the npm client, and the skill for agents, for the local service.
import { mkdirSync, writeFileSync } from 'node:fs';
import { SKILL_NAME, skill } from '../../shared/contract/skill.ts';
import { answerHelp } from '../command/answer-help.ts';
import { writeSections } from './sections.ts';

answerHelp();
writeSections();
const folder = new URL(`../../skills/${SKILL_NAME}/`, import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('SKILL.md', folder), skill('http://127.0.0.1:3000'));
