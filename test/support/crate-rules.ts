// What RO-Crate 1.1 demands of a metadata document ("Root Data Entity", "Data Entities", "JSON-LD"), and a rule of
// specification 3: that every entity that is referred to is there.

type Members = { readonly [key: string]: unknown };
type Entity = Members & { readonly "@id": string };

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEntity = (value: unknown): value is Entity => isObject(value) && typeof value["@id"] === "string";
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:T.+)?)?)?$/;
/** A profile is a thing of the web, named and not described (as RO-Crate's own examples do). */
const NAMED_ONLY = ["conformsTo"];

/** What is wrong, one line each. */
export function crateFaults(crate: unknown): readonly string[] {
  if (!isObject(crate)) return ["it is not an object"];
  const faults: string[] = [];
  if (crate["@context"] !== "https://w3id.org/ro/crate/1.1/context") faults.push("it has another context");
  const graph = listOf(crate["@graph"]).filter(isEntity);
  if (graph.length !== listOf(crate["@graph"]).length) faults.push("something in @graph is not an entity");
  const byId = new Map(graph.map((entity) => [entity["@id"], entity]));
  if (byId.size !== graph.length) faults.push("two entities have one @id");
  for (const entity of graph) faults.push(...faultsOfEntity(entity, byId));
  const descriptor = byId.get("ro-crate-metadata.json");
  const root = byId.get("./");
  if (descriptor === undefined || root === undefined) return [...faults, "it has no descriptor or no root"];
  if (descriptor["@type"] !== "CreativeWork") faults.push("the descriptor is not a CreativeWork");
  const about = isObject(descriptor.about) ? descriptor.about["@id"] : null;
  const profile = isObject(descriptor.conformsTo) ? descriptor.conformsTo["@id"] : null;
  if (about !== "./") faults.push("the descriptor is not about the root");
  if (profile !== "https://w3id.org/ro/crate/1.1") faults.push("the descriptor conforms to something else");
  if (root["@type"] !== "Dataset") faults.push("the root is not a Dataset");
  if (typeof root.datePublished !== "string" || !DATE.test(root.datePublished))
    faults.push("datePublished is not a date");
  const below = reached(root, byId);
  for (const entity of graph) {
    const isData = ["File", "Dataset"].some((type) => listOf(entity["@type"]).includes(type));
    if (isData && entity !== root && !below.has(entity["@id"])) faults.push(`${entity["@id"]} hangs below nothing`);
  }
  return faults;
}

function faultsOfEntity(entity: Entity, byId: ReadonlyMap<string, Entity>): readonly string[] {
  const id = entity["@id"];
  const faults: string[] = [];
  if (listOf(entity["@type"]).length === 0) faults.push(`${id} has no @type`);
  if (!isReference(id)) faults.push(`${id} refers to nothing`);
  if (listOf(entity["@type"]).includes("Dataset") && !id.endsWith("/")) faults.push(`${id} does not end with /`);
  for (const [key, values] of Object.entries(entity)) {
    for (const value of listOf(values)) {
      if (!isObject(value)) continue;
      if (Object.keys(value).join() !== "@id") faults.push(`${id} holds an entity in ${key}`);
      const target = String(value["@id"]);
      if (!NAMED_ONLY.includes(key) && !byId.has(target))
        faults.push(`${id} refers by ${key} to ${target}, which is not there`);
    }
  }
  return faults;
}

/** An IRI reference: no blanks, no characters that have to be escaped. */
function isReference(id: string): boolean {
  return !/[\s<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})/.test(id) && URL.canParse(id, "https://crate.example/");
}

function reached(root: Entity, byId: ReadonlyMap<string, Entity>): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [root];
  for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
    for (const part of listOf(entity.hasPart).filter(isEntity)) {
      const target = byId.get(part["@id"]);
      if (target === undefined || seen.has(part["@id"])) continue;
      seen.add(part["@id"]);
      open.push(target);
    }
  }
  return seen;
}

/** The entities of a crate by their @id. */
export function entitiesOf(crate: unknown): ReadonlyMap<string, Members> {
  const graph = isObject(crate) ? listOf(crate["@graph"]).filter(isEntity) : [];
  return new Map(graph.map((entity) => [entity["@id"], entity]));
}
