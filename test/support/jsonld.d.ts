// What tests use of the package jsonld, which brings no types.
declare module "jsonld" {
  type Loaded = { readonly documentUrl: string; readonly document: object };
  type Options = { readonly safe: boolean; readonly documentLoader: (url: string) => Promise<Loaded> };
  const jsonld: { readonly expand: (document: object, options: Options) => Promise<unknown> };
  export default jsonld;
}
