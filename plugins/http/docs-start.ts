// The scripts that start the two pages of docs.ts, as browsers load them. Both read the description once and show of a
// large one what is asked for: the repository's has hundreds of operations, and rendering all of them takes a browser
// on a slow machine more than ten seconds.

/** Operations of a description that is shown as a whole. */
const SHOWN_WHOLE = 60;

const READ = `const read = async () => (await fetch("openapi.json")).json();
const operationsOf = ({ paths }) =>
  Object.values(paths).flatMap(({ parameters, ...methods }) => Object.values(methods));
const isLarge = (description) => operationsOf(description).length > ${SHOWN_WHOLE};
const partOf = (description, reference) =>
  reference
    .split("/")
    .slice(1)
    .reduce((value, step) => value?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], description);
`;

/**
 * Swagger UI makes a model of every value of a description, and resolves all its references, before it shows the first
 * line. Here it is given what its list shows; an operation is resolved when it is opened. A shape inside itself stays a
 * reference.
 */
export const SWAGGER_START = `${READ}
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];
const LISTED = ["tags", "summary", "operationId", "deprecated", "security"];
const withNames = (value, isWanted) => Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name)));
const listed = (description) => {
  const operation = (each) => withNames(each, (name) => LISTED.includes(name));
  const methods = (each) =>
    Object.fromEntries(Object.entries(withNames(each, (name) => METHODS.includes(name))).map(([name, value]) => [name, operation(value)]));
  const paths = Object.fromEntries(Object.entries(description.paths).map(([path, each]) => [path, methods(each)]));
  const { securitySchemes } = description.components ?? {};
  const externalDocs = { url: new URL("openapi.json", location.href).href, description: "openapi.json" };
  return { ...description, paths, components: securitySchemes ? { securitySchemes } : {}, externalDocs };
};
const resolved = (description, value, open = []) => {
  if (Array.isArray(value)) return value.map((each) => resolved(description, each, open));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: reference } = value;
  if (typeof reference === "string") {
    if (open.includes(reference)) return value;
    const part = resolved(description, partOf(description, reference), [...open, reference]);
    const isShape = reference.startsWith("#/components/schemas/");
    return isShape ? { title: reference.replace(/^.*\\//, ""), ...part } : part;
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(description, each, open)]));
};
read().then((description) => {
  const resolveSubtree = async (_listed, path) => {
    const value = path.reduce((each, step) => each?.[step], description);
    const { parameters: shared = [] } = path[0] === "paths" && path.length === 3 ? description.paths[path[1]] : {};
    const whole = shared.length > 0 ? { ...value, parameters: [...shared, ...(value.parameters ?? [])] } : value;
    return { spec: resolved(description, whole), errors: [] };
  };
  const parseToJson = () => ({ specActions }) => specActions.updateJsonSpec(listed(description));
  window.ui = SwaggerUIBundle({
    // What is parsed as YAML and copied with the other settings; the description itself is neither.
    spec: { openapi: description.openapi },
    dom_id: "#page",
    deepLinking: true,
    docExpansion: isLarge(description) ? "none" : "list",
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [() => ({ fn: { resolveSubtree }, statePlugins: { spec: { actions: { parseToJson } } } })],
    layout: "BaseLayout",
  });
});
`;

/** Redoc renders all that it is given: of a large description it is given one tag, with links to the others. */
export const REDOC_START = `${READ}
const options = { disableSearch: true, downloadUrls: [{ title: "openapi.json", url: "openapi.json" }] };
const page = document.getElementById("page");
const tagInAddress = () => decodeURIComponent(location.hash).match(/^#tag\\/([^/]+)/)?.[1] ?? "";
/** As addresses name a tag, whatever Redoc makes of its blanks and marks. */
const sectionOf = (name) => name.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");

/** The part of a description with this tag, and of its components those that it refers to. */
const partWith = (whole, tag) => {
  const hasTag = ([, each]) => each.tags?.includes(tag);
  const paths = Object.entries(whole.paths)
    .map(([path, { parameters, ...methods }]) => [path, parameters, Object.entries(methods).filter(hasTag)])
    .filter(([, , methods]) => methods.length > 0)
    .map(([path, parameters, methods]) => [path, { ...(parameters ? { parameters } : {}), ...Object.fromEntries(methods) }]);
  const components = { securitySchemes: whole.components.securitySchemes };
  const add = (value) => {
    for (const [, reference] of JSON.stringify(value).matchAll(/"\\$ref":"([^"]+)"/g)) {
      const [, , section, name] = reference.split("/");
      components[section] ??= {};
      if (name in components[section]) continue;
      components[section][name] = partOf(whole, reference);
      add(components[section][name]);
    }
  };
  add(paths);
  const tags = whole.tags.filter(({ name }) => name === tag);
  return { ...whole, tags, paths: Object.fromEntries(paths), components };
};

read().then((whole) => {
  if (!isLarge(whole)) return Redoc.init(whole, options, page);
  const used = operationsOf(whole).flatMap(({ tags = [] }) => tags);
  const names = [...new Set([...whole.tags.map(({ name }) => name), ...used])];
  const asked = () => names.find((each) => sectionOf(each) === sectionOf(tagInAddress()));
  const shown = asked() ?? names[0];
  // Another section is another load of the page: Redoc cannot be ended, and an instance that stays writes the address again.
  const open = (section) => {
    location.hash = "tag/" + section;
    location.reload();
  };
  addEventListener("hashchange", () => {
    const name = asked();
    if (name !== undefined && name !== shown) location.reload();
  });
  const links = document.createElement("nav");
  links.style = "padding: 12px 20px; font-family: sans-serif; line-height: 1.8";
  for (const name of names) {
    const link = document.createElement("a");
    link.textContent = name;
    link.href = "#tag/" + sectionOf(name);
    link.ariaCurrent = name === shown ? "page" : null;
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(sectionOf(name));
    });
    links.append(link, " \\u00a0 ");
  }
  const content = document.createElement("div");
  page.replaceChildren(links, content);
  Redoc.init(partWith(whole, shown), options, content);
});
`;
