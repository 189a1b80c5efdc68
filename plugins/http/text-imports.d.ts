// Files that are imported as text (`with { type: "text" }`); the import attribute decides at run time, this file tells
// the compiler.
declare module "redoc/bundles/redoc.standalone.js" {
  const text: string;
  export default text;
}
declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const text: string;
  export default text;
}
declare module "*.css" {
  const text: string;
  export default text;
}
