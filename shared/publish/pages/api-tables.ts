// Builds the tables of the public API and the sections of problem codes from the contract.
import { documents } from '../../contract/documents.ts';
import { headerDescriptions } from '../../contract/header-descriptions.ts';
import { EXPOSED_HEADERS } from '../../contract/headers.ts';
import { versionPolicy } from '../../contract/lifecycle.ts';
import { TOOL_NAMES, toolArguments } from '../../contract/mcp.ts';
import { mediaTypes, type Negotiation, negotiations } from '../../contract/media-types.ts';
import { operationRows, pathsOf, versionedPath } from '../../contract/operations.ts';
import { platformProblems } from '../../contract/platform-problems.ts';
import { type ProblemRow, problems } from '../../contract/problem-rows.ts';
import { readsOfTool, type UseCase, type UseCaseName, useCases } from '../../contract/use-cases.ts';
import { warningRows } from '../../contract/warnings.ts';
import { keysOf } from '../../model/json.ts';
import { deprecatedOperations, operationSummary, resourceTags, tagOf } from '../operations.ts';
import { codeList, day, errorCode, inlineCode, isNameIn, link, table } from './markdown-blocks.ts';

// Writes one section per problem code. The heading is the anchor that the `type` of a problem document names.

const retryText = (seconds: number | undefined): string =>
  seconds === undefined ? '' : ` The answer carries \`Retry-After: ${seconds}\`.`;

const reasonLines = (resolutions: ProblemRow['resolutions'] = {}): string =>
  Object.entries(resolutions)
    .map(([reason, resolution], index) => `${index === 0 ? '\n' : ''}\n- \`${reason}\`: ${resolution}`)
    .join('');

const errorSection = (level: '##' | '###', code: string, row: ProblemRow): string => {
  const { status, title, resolution, resolutions, retryAfter } = row;
  return `${level} ${code}\n\n**${status}** ${title}. ${resolution}${retryText(retryAfter)}${reasonLines(resolutions)}`;
};

const errorSectionsOf = (level: '##' | '###', rows: Readonly<Record<string, ProblemRow>>): string =>
  Object.entries(rows)
    .map(([code, row]) => errorSection(level, code, row))
    .join('\n\n');

export const errorSections = {
  errors: (): string => errorSectionsOf('##', problems),
  platformErrors: (): string => errorSectionsOf('###', platformProblems),
} as const;

const routes = (): string =>
  table(
    ['Route', 'Operation', 'Page'],
    operationRows.map(([, operation]) => {
      const tag = tagOf(operation);
      return [
        codeList(pathsOf(operation).map((path) => `GET ${path}`)),
        tag === undefined ? 'Deprecated' : operationSummary(operation),
        link(tag === undefined ? 'versioning' : resourceTags[tag].page),
      ];
    }),
  );

const descriptionNames = ['openapi', 'apiIndex', 'apiCatalog', 'ard', 'llms', 'llmsFull', 'securityTxt'] as const;

const descriptions = (): string =>
  table(
    ['Document', 'Path', 'Media type'],
    descriptionNames.map((name) => [link(name), inlineCode(documents[name].path), inlineCode(documents[name].type)]),
  );

const problemRows = Object.entries<ProblemRow>(problems);

const errors = (): string => {
  const statuses = [...new Set(problemRows.map(([, { status }]) => status))].toSorted((a, b) => a - b);
  const codesWith = (status: number): string =>
    problemRows
      .filter(([, row]) => row.status === status)
      .map(([code]) => errorCode(code))
      .join(', ');
  return table(
    ['Status', 'Codes'],
    statuses.map((status) => [String(status), codesWith(status)]),
  );
};

const negotiationLabels: Readonly<Record<keyof typeof negotiations, string>> = {
  versioned: '`/api/v1/*`',
  alias: 'the deprecated aliases',
  permalink: 'permalinks',
  page: '`/` and `/docs`',
  unknown: 'unknown routes',
};

const mediaTypeList = (offers: Negotiation['byName']): string => codeList(offers.map((offer) => mediaTypes[offer]));

const representations = (): string =>
  table(
    ['Routes', 'Offers, in order of preference', 'Further, only if `Accept` names it'],
    keysOf(negotiations).map((name) => {
      const { byRange, byName }: Negotiation = negotiations[name];
      return [negotiationLabels[name], mediaTypeList(byRange), mediaTypeList(byName)];
    }),
  );

const headers = (): string =>
  table(
    ['Header', 'Meaning'],
    EXPOSED_HEADERS.split(', ')
      .filter((name) => isNameIn(headerDescriptions, name))
      .map((name) => [inlineCode(name), headerDescriptions[name].description]),
  );

const warnings = (): string =>
  table(
    ['Warning', 'Meaning'],
    Object.entries(warningRows).map(([code, { message }]) => [inlineCode(code), message]),
  );

const successorText = (entry: (typeof deprecatedOperations)[number]): string =>
  'successor' in entry
    ? inlineCode(entry.successor)
    : Object.entries(entry.successors)
        .map(([value, path]) => `\`${entry.successor_parameter}=${value}\`: \`${path}\``)
        .join(', ');

const lifecycles = (): string =>
  table(
    ['Route', 'Replacement', 'Deprecated since', 'May stop answering after'],
    deprecatedOperations.map((entry) => [
      inlineCode(`GET ${entry.path}`),
      successorText(entry),
      day(entry.deprecation),
      day(entry.sunset),
    ]),
  );

const deprecationHeaders = (): string =>
  table(
    ['Header', 'Standard'],
    versionPolicy.deprecationSignals.map(({ header, standard }) => [inlineCode(header), standard]),
  );

const toolRow = (name: UseCaseName): readonly (readonly string[])[] => {
  const { tool, summary, ...row }: UseCase = useCases[name];
  const names = toolArguments(row).filter((parameter) => parameter !== 'format');
  return tool === undefined ? [] : [[inlineCode(tool), summary, codeList(names), inlineCode(versionedPath(name))]];
};

const tools = (): string =>
  table(['Tool', 'Function', 'Arguments', 'Same as'], TOOL_NAMES.flatMap(readsOfTool).flatMap(toolRow));

export const apiTables = {
  deprecationHeaders,
  descriptions,
  errors,
  headers,
  lifecycles,
  representations,
  routes,
  tools,
  warnings,
} as const;
