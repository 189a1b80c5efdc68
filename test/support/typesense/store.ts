// What one Typesense server, or several of one cluster, hold: collections, aliases, keys, and the rules of searches.
import { createHmac } from "node:crypto";
import { type Collection, collection } from "./collection.ts";
import { type Document, readField, readSchema } from "./schema.ts";
import type { Override } from "./search.ts";
import { Refused, unseen } from "./unseen.ts";

export type Key = {
  readonly id: number;
  readonly actions: readonly string[];
  readonly collections: readonly string[];
  readonly value: string;
  readonly description: string;
};

/**
 * What a caller may: everything with the first key; else the actions of its key, with parameters put into its searches.
 */
export type Caller = { readonly key: Key | null; readonly embedded: { readonly [name: string]: unknown } };

export const FORBIDDEN = "Forbidden - a valid `x-typesense-api-key` header must be sent.";
const NOT_FOUND = "Collection not found";

export function typesenseStore(adminKey: string, clock: () => number) {
  const collections = new Map<string, Collection>();
  const aliases = new Map<string, string>();
  const keys: Key[] = [];
  const overrides = new Map<string, Override[]>();
  const synonyms = new Map<string, string[][]>();
  const stopwords = new Map<string, ReadonlySet<string>>();
  const presets = new Map<string, { readonly [name: string]: unknown }>();

  /** A collection by its own name, else the one an alias leads to. */
  const find = (name: string): Collection | undefined =>
    collections.get(name) ?? collections.get(aliases.get(name) ?? "");

  return {
    overrides,
    synonyms,
    stopwords,
    presets,

    caller(given: string | undefined): Caller {
      const full = { key: null, embedded: {} };
      if (given === adminKey) return full;
      const key = keys.find(({ value }) => value === given);
      if (key !== undefined) return { key, embedded: {} };
      // A scoped key: digest of the parameters (44), beginning of its parent (4), parameters.
      const scoped = Buffer.from(given ?? "", "base64").toString("utf8");
      const parent = keys.find(({ value }) => value.startsWith(scoped.slice(44, 48)) && scoped.length > 48);
      const parameters = scoped.slice(48);
      const digest = createHmac("sha256", parent?.value ?? "")
        .update(parameters)
        .digest("base64");
      if (parent === undefined || digest !== scoped.slice(0, 44)) throw new Refused(401, FORBIDDEN);
      return { key: parent, embedded: JSON.parse(parameters) };
    },
    keys: () => keys,
    addKey(input: { readonly [name: string]: unknown }): Key {
      const { description, actions, collections: names, value, ...others } = input;
      if (typeof value !== "string" || !Array.isArray(actions) || !Array.isArray(names)) unseen("such a key");
      for (const other of Object.keys(others)) unseen(`"${other}" of a key`);
      const key = { id: keys.length, actions, collections: names, value, description: String(description) };
      keys.push(key);
      return key;
    },
    dropKey(id: number): void {
      keys.splice(
        keys.findIndex((key) => key.id === id),
        1,
      );
    },

    /** The newest first, as the server lists them. */
    collections: () => [...collections.values()].reverse(),
    create(input: unknown): Collection {
      const schema = readSchema(input, clock());
      if (collections.has(schema.name)) {
        throw new Refused(409, `A collection with name \`${schema.name}\` already exists.`);
      }
      const made = collection(schema);
      collections.set(schema.name, made);
      return made;
    },
    collection(name: string): Collection {
      const found = find(name);
      if (found === undefined) throw new Refused(404, NOT_FOUND);
      return found;
    },
    drop(name: string): Collection {
      const found = collections.get(name);
      if (found === undefined && aliases.has(name)) unseen("what dropping a collection by its alias does");
      if (found === undefined) throw new Refused(404, `No collection with name \`${name}\` found.`);
      collections.delete(name);
      return found;
    },
    patch(name: string, input: { readonly [name: string]: unknown }): object[] {
      const found = collections.get(name) ?? unseen("changing a collection that is not there");
      if (!Array.isArray(input.fields)) {
        throw new Refused(400, "Only `fields` and `metadata` can be updated at the moment.");
      }
      return input.fields.map((field: { readonly name: string; readonly drop?: boolean }) => {
        if (field.drop === true) {
          found.dropField(field.name);
          return { drop: true, embed: null, name: field.name };
        }
        const added = readField(field);
        found.addField(added);
        return { ...NEW_FIELD, ...added };
      });
    },

    aliases: () => [...aliases].sort(([a], [b]) => (a < b ? -1 : 1)),
    alias(name: string): string {
      const target = aliases.get(name);
      // The server answers this for aliases too.
      if (target === undefined) throw new Refused(404, NOT_FOUND);
      return target;
    },
    setAlias(name: string, target: string): void {
      if (collections.has(name)) {
        throw new Refused(500, `Name \`${name}\` conflicts with an existing collection name.`);
      }
      aliases.set(name, target);
    },
    dropAlias(name: string): string {
      const target = this.alias(name);
      aliases.delete(name);
      return target;
    },
  };
}

export type Store = ReturnType<typeof typesenseStore>;

/** The settings of an added field, beyond those of a field of a new collection. */
const NEW_FIELD = {
  async_reference: false,
  embed: null,
  hnsw_params: { M: 16, ef_construction: 200 },
  nested: false,
  nested_array: 0,
  num_dim: 0,
  range_index: false,
  reference: "",
  symbols_to_index: [],
  token_separators: [],
  vec_dist: "cosine",
};

export type Members = { readonly [name: string]: unknown };
export const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const asDocument = (value: unknown): Document =>
  isMembers(value) ? (value as Document) : unseen("such a document");
