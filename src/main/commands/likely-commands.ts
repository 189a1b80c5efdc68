// Which commands a person meant who typed one that does not exist: another word for the same verb, the words in another
// order, a plural, a verb without its group, or a slip of the keys.
import { nearest } from "../../shared/text/nearest-word.ts";

/** Words that people try, by the verb that the commands have. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  add: ["create", "new", "make", "insert", "register"],
  list: ["ls", "all", "index", "search", "find"],
  show: ["get", "info", "view", "describe", "details", "read", "cat"],
  set: ["update", "edit", "change", "modify", "configure", "rename"],
  remove: ["delete", "rm", "del", "destroy", "drop"],
  delete: ["remove", "rm", "del"],
  disable: ["block", "lock", "deactivate", "suspend", "remove", "delete"],
  enable: ["unblock", "unlock", "activate"],
  revoke: ["remove", "delete", "rm", "end"],
  end: ["revoke", "remove", "delete"],
  mint: ["create", "new", "add", "make", "generate"],
  release: ["remove", "delete", "end", "rm"],
  retire: ["remove", "delete", "disable"],
  status: ["show", "state", "info"],
  approve: ["accept", "confirm"],
  accept: ["approve", "confirm"],
  decline: ["reject", "refuse"],
  rebuild: ["reindex", "index", "refresh"],
  "login-link": ["login", "password", "reset-password", "invite", "link"],
};

/** Whole commands by other words. */
const COMMANDS: Readonly<Record<string, string>> = {
  serve: "up",
  start: "up",
  run: "up",
  server: "up",
  init: "up",
  setup: "up",
  upload: "deposit",
  push: "deposit",
  send: "deposit",
  submit: "deposit",
  package: "pack",
  zip: "pack",
  config: "settings",
  configuration: "settings",
  env: "settings",
  ping: "health",
  status: "health",
  check: "verify",
  fsck: "verify",
  dump: "backup",
  upgrade: "migrate",
  login: "user login-link",
  reindex: "search rebuild",
  resolve: "ark show",
  lookup: "ark show",
};

/** A longer list does not help. */
const SHOWN = 4;

type Likely = {
  /** What is unknown, as far as it was understood. */
  readonly unknown: string;
  /** The commands that may have been meant, the likeliest first. */
  readonly meant: readonly string[];
  /** The group whose help shows more; null for that of all. */
  readonly group: string | null;
};

export function likelyCommands(typed: readonly string[], names: readonly string[]): Likely {
  for (let length = typed.length - 1; length > 0; length -= 1) {
    const group = typed.slice(0, length).join(" ");
    const rest = typed[length] ?? "";
    const inside = names.filter((name) => name.startsWith(`${group} `)).map((name) => name.slice(group.length + 1));
    if (inside.length > 0) {
      const meant = inGroup(rest, inside).map((name) => `${group} ${name}`);
      return { unknown: `${group} ${rest}`, meant, group };
    }
  }
  const [first = "", second] = typed;
  const group = groupOf(first, names);
  if (group !== null) {
    const inside = names.filter((name) => name.startsWith(`${group} `)).map((name) => name.slice(group.length + 1));
    const found = second === undefined ? inside.filter((name) => name === "list") : inGroup(second, inside);
    if (found.length > 0) return { unknown: typed.join(" "), meant: found.map((name) => `${group} ${name}`), group };
  }
  // "create user" for "user add".
  const turned = second === undefined ? null : groupOf(second, names);
  if (turned !== null) {
    const { meant } = likelyCommands([turned, first], names);
    if (meant.length > 0) return { unknown: typed.join(" "), meant, group: turned };
  }
  return { unknown: first, meant: alone(first, typed.join(" "), names), group: null };
}

/** Commands of a group, by a word that does not name one. */
function inGroup(word: string, inside: readonly string[]): readonly string[] {
  if (inside.includes(word)) return [word];
  const alike = inside.filter((name) => VERBS[name]?.includes(word));
  if (alike.length > 0) return alike.slice(0, SHOWN);
  const firsts = [...new Set(inside.map((name) => name.split(" ")[0] ?? ""))];
  const near = nearest(word, firsts);
  return near === null ? [] : [near];
}

/** The group of that name, or of that name in the plural. */
function groupOf(word: string, names: readonly string[]): string | null {
  const isGroup = (group: string): boolean => names.some((name) => name.startsWith(`${group} `));
  if (isGroup(word)) return word;
  const singular = word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.replace(/s$/, "");
  return isGroup(singular) ? singular : null;
}

/** Commands by one word that begins none: a verb without its group, another word, a slip of the keys. */
function alone(word: string, whole: string, names: readonly string[]): readonly string[] {
  const known = COMMANDS[word];
  if (known !== undefined && names.includes(known)) return [known];
  const verb = VERBS[word] === undefined ? null : word;
  const ending = names.filter((name) => name.endsWith(` ${verb ?? word}`));
  if (ending.length > 0) return byUse(ending).slice(0, SHOWN);
  const firsts = [...new Set(names.flatMap((name) => [name, name.split(" ")[0] ?? ""]))];
  const near = nearest(whole, firsts) ?? nearest(word, firsts);
  if (near !== null) return [near];
  const meant = Object.keys(VERBS).filter((each) => VERBS[each]?.includes(word));
  return byUse(names.filter((name) => meant.some((each) => name.endsWith(` ${each}`)))).slice(0, SHOWN);
}

/** What most people look after, first. */
const USED = ["ark", "item", "user", "token"];
const rank = (name: string): number => (USED.indexOf(name.split(" ")[0] ?? "") + USED.length + 1) % (USED.length + 1);
const byUse = (names: readonly string[]): readonly string[] => names.toSorted((one, other) => rank(one) - rank(other));
