// A document that records which of its values were read (R38): the others are lost, and are reported.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";

/** At most this many paths are reported of one document; the rest is counted. */
const LOST_PATHS_MAX = 100;
const PATH_CHARACTERS = 200;

export type ReadTracker = {
  /** The document; reading a member of it is remembered. */
  readonly document: Json;
  /** Paths of what was not read, a position as `*`, each once. */
  readonly unread: () => readonly string[];
};

export function trackReads(document: Json): ReadTracker {
  const read = new Map<object, Set<string>>();
  const proxies = new Map<object, Json>();

  const watched = (value: Json): Json => {
    if (!isJsonArray(value) && !isJsonObject(value)) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    read.set(value, seen);
    const proxy = new Proxy(value, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof name === "symbol" || !Object.hasOwn(target, name)) return member;
        seen.add(name);
        // Every value inside JSON is JSON.
        return watched(member as Json);
      },
    }) as Json; // a proxy of JSON is read as JSON
    proxies.set(value, proxy);
    return proxy;
  };

  function unread(): readonly string[] {
    const paths = new Set<string>();
    const waiting: { readonly value: Json; readonly path: string }[] = [{ value: document, path: "" }];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const { value, path } = at;
      const isList = isJsonArray(value);
      if (!isList && !isJsonObject(value)) continue;
      const seen = read.get(value);
      for (const [name, member] of Object.entries(value)) {
        const below = `${path === "" ? "" : `${path}.`}${isList ? "*" : name}`.slice(0, PATH_CHARACTERS);
        if (seen?.has(name) === true) waiting.push({ value: member, path: below });
        else if (hasContent(member)) paths.add(below);
      }
      if (paths.size > LOST_PATHS_MAX) break;
    }
    return [...paths].toSorted().slice(0, LOST_PATHS_MAX);
  }

  return { document: watched(document), unread };
}

const hasContent = (value: Json): boolean =>
  value !== null &&
  value !== "" &&
  !(isJsonArray(value) && value.length === 0) &&
  !(isJsonObject(value) && Object.keys(value).length === 0);
