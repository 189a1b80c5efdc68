// What records are to be after any sequence of calls (R2a to R2f, R37): a small model without a database, and what each
// interface answers by it.
import type { PersonName } from "./world/repository.ts";

export type Actor = PersonName | null;

/** The interface its words came by: each writes the same title in other words. */
type Origin = "records" | "sword";
type Draft = { title: string; origin: Origin; editor: Actor; dated: boolean };
export type Version = {
  readonly id: number;
  readonly index: number;
  readonly thing: Thing;
  state: "draft" | "published" | "deleted" | "forgotten";
  revision: number;
  title: string;
  origin: Origin;
  draft: Draft | null;
};
export type Thing = {
  readonly owner: Actor;
  readonly shared: Set<Actor>;
  readonly versions: Version[];
  /** It is in the index that may be hidden. */
  readonly filed: boolean;
  restricted: boolean;
};

const ADMINISTRATORS: readonly Actor[] = ["admin", "system"];
const isAdministrator = (who: Actor): boolean => ADMINISTRATORS.includes(who);

export const latestOf = ({ versions }: Thing): Version | undefined =>
  versions.findLast(({ state }) => state === "published");

const isPrivileged = (who: Actor, { owner, shared }: Thing): boolean =>
  isAdministrator(who) || (who !== null && (who === owner || shared.has(who)));

/** R2e, "tools": whom a thing is shared with edits it, but not without a role. */
const mayEdit = (who: Actor, { owner, shared }: Thing): boolean =>
  isAdministrator(who) || (who !== null && (who === owner || (shared.has(who) && who !== "general")));

export const world = { isIndexOpen: true };

const mayRead = (who: Actor, { thing }: Version): boolean =>
  isPrivileged(who, thing) || (!thing.restricted && (!thing.filed || world.isIndexOpen));

/** Status of a call, and what it does when that is a success. */
type Answer = { readonly status: number; readonly effect?: () => void };
const no = (status: number): Answer => ({ status });

/** Before anything is changed through the records interface. */
function refusal(who: Actor, { state, thing }: Version): Answer | null {
  if (who === null) return no(401);
  if (state === "forgotten") return no(404);
  if (!mayEdit(who, thing)) return no(state === "draft" ? 404 : 403);
  return state === "deleted" ? no(410) : null;
}

/** Somebody else edits what was published (R2f). */
const isHeld = (who: Actor, { state, draft }: Version): boolean =>
  state === "published" && draft !== null && draft.editor !== who;

export function read(who: Actor, version: Version): Answer {
  if (version.state === "deleted") return no(410);
  if (version.state !== "published") return no(404);
  return no(mayRead(who, version) ? 200 : 403);
}

/** A landing page shows a draft to those whose it is. */
export function page(who: Actor, version: Version): Answer {
  return version.state === "draft" && isPrivileged(who, version.thing) ? no(200) : read(who, version);
}

export function readDraft(who: Actor, { state, thing, draft }: Version): Answer {
  if (who === null) return no(401);
  if (state === "forgotten" || !mayEdit(who, thing)) return no(404);
  if (state === "deleted") return no(410);
  return no(draft === null ? 404 : 200);
}

export function edit(who: Actor, version: Version): Answer {
  const refused = refusal(who, version);
  if (refused !== null) return refused;
  return {
    status: 201,
    effect() {
      version.draft ??= { title: version.title, origin: version.origin, editor: who, dated: true };
    },
  };
}

export function save(who: Actor, version: Version, title: string): Answer {
  const refused = refusal(who, version);
  if (refused !== null) return refused;
  if (version.draft === null) return no(404);
  if (isHeld(who, version)) return no(409);
  return {
    status: 200,
    effect() {
      version.draft = { title, origin: "records", editor: who, dated: true };
    },
  };
}

export function publish(who: Actor, version: Version): Answer {
  const refused = refusal(who, version);
  if (refused !== null) return refused;
  const { draft } = version;
  if (draft === null) return no(404);
  if (!draft.dated) return no(400);
  if (isHeld(who, version)) return no(409);
  return {
    status: 202,
    effect() {
      const isSame = draft.title === version.title && draft.origin === version.origin;
      if (version.state === "draft" || !isSame) version.revision += 1;
      version.state = "published";
      version.title = draft.title;
      version.origin = draft.origin;
      version.draft = null;
    },
  };
}

export function discard(who: Actor, version: Version): Answer {
  const refused = refusal(who, version);
  if (refused !== null) return refused;
  if (version.draft === null) return no(404);
  if (isHeld(who, version) && !isAdministrator(who)) return no(409);
  return {
    status: 204,
    effect() {
      version.draft = null;
      if (version.state === "draft") version.state = "forgotten";
    },
  };
}

/** The next version: the one that is being prepared, else a new one, whose number `begin` receives. */
export function newVersion(
  who: Actor,
  version: Version,
): Answer & { readonly next?: Version; readonly begin?: (id: number) => void } {
  const { thing, state } = version;
  if (who === null) return no(401);
  if (state === "forgotten") return no(404);
  if (!mayEdit(who, thing)) return no(state === "draft" ? 404 : 403);
  const latest = latestOf(thing);
  if (latest === undefined) return no(state === "deleted" ? 410 : 404);
  const next = thing.versions.find((each) => each.state === "draft");
  if (next !== undefined) return { status: 201, next };
  if (isHeld(who, latest)) return no(409);
  return {
    status: 201,
    begin(id) {
      const index =
        Math.max(...thing.versions.filter((each) => each.state !== "forgotten").map((each) => each.index)) + 1;
      const draft = { title: latest.title, origin: latest.origin, editor: who, dated: false };
      thing.versions.push({ id, index, thing, state: "draft", revision: 0, title: "", origin: latest.origin, draft });
    },
  };
}

export function remove(who: Actor, version: Version): Answer {
  const { state } = version;
  if (who === null) return no(401);
  if (!isAdministrator(who)) return no(403);
  if (state === "deleted") return no(400);
  if (state !== "published") return no(404);
  return { status: 204, effect: () => removed(version) };
}

function removed(version: Version): void {
  version.state = "deleted";
  version.draft = null;
  version.revision += 1;
}

export function restore(who: Actor, version: Version): Answer {
  const { state } = version;
  if (who === null) return no(401);
  if (!isAdministrator(who)) return no(403);
  if (state === "published") return no(400);
  if (state !== "deleted") return no(404);
  return {
    status: 200,
    effect() {
      version.state = "published";
      version.revision += 1;
    },
  };
}

export function share(who: Actor, version: Version, other: Actor): Answer {
  const { state, thing } = version;
  if (who === null) return no(401);
  if (state === "forgotten") return no(404);
  if (!isAdministrator(who) && who !== thing.owner) return no(state === "draft" && !mayEdit(who, thing) ? 404 : 403);
  return other === thing.owner ? no(400) : { status: 201, effect: () => void thing.shared.add(other) };
}

/** SWORD knows what was published and not deleted; its PUT replaces everything. */
export function replace(who: Actor, version: Version, title: string): Answer {
  const { state, thing, draft } = version;
  if (who === null) return no(401);
  if (who === "general") return no(403);
  if (state !== "published") return no(404);
  if (!mayEdit(who, thing)) return no(403);
  if (draft !== null) return no(400);
  return {
    status: 200,
    effect() {
      version.title = title;
      version.origin = "sword";
      version.revision += 1;
    },
  };
}

export function removeBySword(who: Actor, version: Version): Answer {
  const { state, thing, draft } = version;
  if (who === null) return no(401);
  if (who === "general") return no(403);
  if (state !== "published") return no(404);
  if (!isAdministrator(who) && who !== thing.owner) return no(403);
  return draft === null || isAdministrator(who) ? { status: 204, effect: () => removed(version) } : no(400);
}
