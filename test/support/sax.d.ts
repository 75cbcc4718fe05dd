// The part of sax that tests use; the package has no types.
declare module 'sax' {
  interface SaxParser {
    onerror: (error: Error) => void;
    onopentag: (tag: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    oncomment: (text: string) => void;
    onprocessinginstruction: (instruction: { readonly name: string }) => void;
    write(text: string): SaxParser;
    close(): SaxParser;
  }
  const sax: { parser(strict: boolean): SaxParser };
  // biome-ignore lint/style/noDefaultExport: the package is CommonJS
  export default sax;
}
