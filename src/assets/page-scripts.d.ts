// The bundled scripts of pages by name, written by src/main/pages/page-scripts.ts; the file itself is not in git.
declare module "*/page-scripts.json" {
  const scripts: Readonly<Record<string, string>>;
  export default scripts;
}
