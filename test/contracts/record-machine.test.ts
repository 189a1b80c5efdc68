// Random sequences of calls by random people through all interfaces: records, SWORD, the index tree and pages, against
// a small model of what must be (issue of the records backend, "state machine property tests"; R2a to R2f). No answer
// differs from the model's, none is a fault of the program.

import { expect, test } from "bun:test";
import process from "node:process";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { type Random, randomFrom } from "../support/random-from.ts";
import { recordCalls, titled } from "../support/record-calls.ts";
import * as model from "../support/record-model.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { INDEXES, type RepositoryWorld, recidOf } from "../support/world/repository.ts";
import { openWorld } from "../support/world.ts";

const PEOPLE: readonly model.Actor[] = [
  ...(["registered", "registered", "other", "admin", "system", "general", "curator"] as const),
  null,
];
/** Things that are worked on at once: few enough that people meet. */
const THINGS = 6;
const JSON_TYPE = { "content-type": "application/json" };
const TITLES = ["On tides", "Of winds", "On rain", "Of snow"];

async function machine(repository: RepositoryWorld, random: Random, steps: number): Promise<void> {
  const calls = recordCalls(repository);
  const things: model.Thing[] = [];
  const log: string[] = [];
  model.world.isIndexOpen = true;

  /** The answer that was expected, and nothing else. */
  function same(what: string, got: { status: number; text: string }, expected: number): void {
    log.push(`${what} -> ${got.status}`);
    if (got.status === expected) return;
    const [last, ...before] = log.slice(-25).reverse();
    throw new Error(`${last}, expected ${expected}: ${got.text.slice(0, 300)}\nbefore that:\n${before.join("\n")}`);
  }

  async function begin(): Promise<void> {
    const owner = random.pick(["registered", "other", "general", "admin"] as const);
    const title = random.pick(TITLES);
    const bySword = owner !== "general" && random.isOne(3);
    const thing: model.Thing = { owner, shared: new Set(), versions: [], filed: bySword, restricted: false };
    if (bySword) {
      const id = recidOf(await repository.deposit(owner, cratePackage({ name: title })));
      const published = { state: "published", revision: 1, origin: "sword", draft: null } as const;
      thing.versions.push({ id, index: 1, thing, title, ...published });
      log.push(`${owner} deposits ${id}`);
    } else {
      thing.restricted = random.isOne(4);
      const access = { record: thing.restricted ? "restricted" : "public", files: "public" };
      const id = Number(await calls.create(owner, { ...titled(title), access }));
      const draft = { title, origin: "records" as const, editor: owner, dated: true };
      thing.versions.push({ id, index: 1, thing, state: "draft", revision: 0, title: "", origin: "records", draft });
      log.push(`${owner} drafts ${id}`);
    }
    if (things.length >= THINGS) things.splice(random.below(things.length), 1);
    things.push(thing);
  }

  async function step(): Promise<void> {
    const done = things.findIndex(({ versions }) => versions.every(({ state }) => state === "forgotten"));
    if (done >= 0) things.splice(done, 1);
    if (things.length < THINGS || random.isOne(25)) return await begin();
    const thing = random.pick(things);
    const version = random.pick(thing.versions);
    const who = random.isOne(3) ? thing.owner : random.pick(PEOPLE);
    const id = version.id;
    const title = random.pick(TITLES);
    const access = { record: thing.restricted ? "restricted" : "public", files: "public" };
    const records = async (
      what: string,
      answer: { status: number; effect?: () => void },
      ...call: [string, string, unknown?]
    ) => {
      const got = await calls.call(who, ...call);
      same(`${who} ${what} ${id}`, got, answer.status);
      if (got.status < 300) answer.effect?.();
      return got;
    };
    switch (random.below(16)) {
      case 0:
        return void (await records("edits", model.edit(who, version), "POST", `/${id}/draft`));
      case 1:
      case 2: {
        // Of what was published files stay as they are; a version to come has none.
        const { files, ...rest } = titled(title);
        const body = version.state === "draft" ? { ...rest, files } : rest;
        await records(`saves "${title}" in`, model.save(who, version, title), "PUT", `/${id}/draft`, {
          ...body,
          access,
        });
        return;
      }
      case 3:
      case 4: {
        const got = await records("publishes", model.publish(who, version), "POST", `/${id}/draft/actions/publish`);
        if (got.status === 202) expect(got.json.revision_id).toBe(version.revision);
        return;
      }
      case 5:
        return void (await records("discards", model.discard(who, version), "DELETE", `/${id}/draft`));
      case 6: {
        const answer = model.newVersion(who, version);
        const got = await records("versions", answer, "POST", `/${id}/versions`);
        if (got.status !== 201) return;
        if (answer.next !== undefined) expect(got.json.id).toBe(String(answer.next.id));
        answer.begin?.(Number(got.json.id));
        return;
      }
      case 7: {
        const body = { removal_reason: { id: "spam" } };
        return void (await records("deletes", model.remove(who, version), "DELETE", `/${id}/delete`, body));
      }
      case 8:
      case 9:
        return void (await records("restores", model.restore(who, version), "POST", `/${id}/restore`));
      case 10: {
        const other = random.pick(["other", "general", "registered"] as const);
        const subject = { type: "user", id: String(repository.people[other].account.id) };
        const body = { grants: [{ subject, permission: "edit" }] };
        const answer = model.share(who, version, other);
        return void (await records(`shares with ${other}`, answer, "POST", `/${id}/access/grants`, body));
      }
      case 11: {
        const answer = model.replace(who, version, title);
        const got = await repository.replace(who, id, cratePackage({ name: title }));
        same(`${who} replaces ${id} with "${title}"`, got, answer.status);
        if (got.status === 200) answer.effect?.();
        return;
      }
      case 12: {
        const answer = model.removeBySword(who, version);
        const got = await repository.remove(who, id);
        same(`${who} removes ${id} by SWORD`, got, answer.status);
        if (got.status === 204) answer.effect?.();
        return;
      }
      case 13: {
        model.world.isIndexOpen = !model.world.isIndexOpen;
        const body = JSON.stringify({ index: { public_state: model.world.isIndexOpen } });
        const got = await repository.ask("system", "PUT", `/api/v1/tree/index/${INDEXES.open}`, {
          headers: JSON_TYPE,
          body,
        });
        return same(`the index is ${model.world.isIndexOpen ? "opened" : "hidden"}`, got, 200);
      }
      case 14: {
        const got = await repository.ask(who, "GET", `/records/${id}`);
        return same(`${who} checks the page of ${id}`, got, model.page(who, version).status);
      }
      default:
        return await look(who, version);
    }
  }

  /** Both sides of a version, as somebody reads them. */
  async function look(who: model.Actor, version: model.Version): Promise<void> {
    const read = await calls.call(who, "GET", `/${version.id}`);
    same(`${who} reads ${version.id}`, read, model.read(who, version).status);
    if (read.status === 200) {
      const { json } = read;
      const isLatest = model.latestOf(version.thing) === version;
      const messages = [json.metadata.title, json.revision_id, json.versions.index, json.versions.is_latest];
      expect(messages).toEqual([version.title, version.revision, version.index, isLatest]);
    }
    const draft = await calls.call(who, "GET", `/${version.id}/draft`);
    same(`${who} reads the draft of ${version.id}`, draft, model.readDraft(who, version).status);
    if (draft.status === 200) expect(draft.json.metadata.title).toBe(version.draft?.title);
  }

  for (let at = 0; at < steps; at += 1) await step();
  for (const { versions } of things) for (const version of versions) await look("system", version);
}

const SEED = Number(process.env.ARKSTONE_SEED ?? 20261122);

onEachDatabase("records as a machine", (database) => {
  const steps = inSlowRing ? 20_000 : database.name === "SQLite" ? 300 : 80;

  test(`S3.6.34 R2a R2b R2c R2d R2e R2f ${steps} calls by random people through all interfaces answer as the model does`, async () => {
    const repository = await openWorld({ repository: true, database });
    await machine(repository, randomFrom(SEED), steps);
  }, 3_600_000);
});
