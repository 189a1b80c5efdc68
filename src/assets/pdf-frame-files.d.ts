// What the frame of the PDF viewer loads, written by src/main/pages/pdf-frame-files.ts; the file itself is not in git.
declare module "*/pdf-frame-files.json" {
  const packed: {
    /** Of PDF.js. */
    readonly version: string;
    /** By folder and name; gzip, in base64. */
    readonly files: Readonly<Record<string, string>>;
  };
  export default packed;
}
