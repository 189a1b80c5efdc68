// Records over HTTP (R37; specification 3, "States and transitions"): drafts are made, saved, published, edited, given versions, discarded, deleted,
// restored.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type PersonName, type RepositoryWorld, repositoryWorld, type Who } from "../support/repository-world.ts";

let world: RepositoryWorld;
beforeAll(async () => {
  world = await repositoryWorld();
});
afterAll(() => world.close());

const METADATA = {
  resource_type: { id: "publication-article" },
  title: "On tides",
  publication_date: "2024-05-01",
  creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ann" } }],
};
const BODY = { metadata: METADATA, files: { enabled: false } };

/** What a test looks at in an answer. */
type Said = {
  readonly id: string;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly messages: readonly string[] }[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly pids: { readonly ark: { readonly identifier: string } };
  readonly tombstone: Readonly<Record<string, unknown>>;
};

async function call(who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await world.ask(who, method, `/api/records${path}`, {
    headers: { "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { ...answer, json: answer.json as unknown as Said };
}

async function drafted(who: PersonName = "registered", body: object = BODY): Promise<string> {
  const answer = await call(who, "POST", "", body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json.id;
}

async function published(who: PersonName = "registered", body: object = BODY): Promise<string> {
  const id = await drafted(who, body);
  const answer = await call(who, "POST", `/${id}/draft/actions/publish`);
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  return id;
}

describe("a record", () => {
  test("R37: a draft is made and published with its ARK, and read by everybody", async () => {
    const id = await drafted();
    const draft = await call("registered", "GET", `/${id}/draft`);
    expect(draft.json).toMatchObject({
      id,
      status: "draft",
      is_draft: true,
      is_published: false,
      metadata: { title: "On tides" },
    });
    expect((await call(null, "GET", `/${id}`)).status).toBe(404);
    const answer = await call("registered", "POST", `/${id}/draft/actions/publish`);
    expect(answer.status).toBe(202);
    const read = await call(null, "GET", `/${id}`);
    expect(read.status).toBe(200);
    expect(read.json).toMatchObject({ id, status: "published", revision_id: 1, access: { status: "metadata-only" } });
    expect(read.json.pids.ark.identifier).toMatch(/^ark:/);
  });

  test("R2c: a record is deleted by administrators only, tells why, and comes back", async () => {
    const id = await published();
    const body = { removal_reason: { id: "spam" }, note: "gone" };
    expect((await call("registered", "DELETE", `/${id}/delete`, body)).status).toBe(403);
    expect((await call("admin", "DELETE", `/${id}/delete`, body)).status).toBe(204);
    const gone = await call(null, "GET", `/${id}`);
    expect([gone.status, gone.json.message, gone.json.tombstone.removal_reason]).toEqual([
      410,
      "Record deleted",
      { id: "spam" },
    ]);
    expect((await call("admin", "POST", `/${id}/restore`)).status).toBe(200);
    expect((await call(null, "GET", `/${id}`)).status).toBe(200);
  });

  test("R2b: a new version is prepared once, and published", async () => {
    const id = await published();
    const next = await call("registered", "POST", `/${id}/versions`);
    expect([next.status, next.json.metadata.publication_date]).toEqual([201, undefined]);
    expect((await call("registered", "POST", `/${id}/versions`)).json.id).toBe(next.json.id);
    const refused = await call("registered", "POST", `/${next.json.id}/draft/actions/publish`);
    expect([refused.status, refused.json.errors]).toEqual([
      400,
      [{ field: "metadata.publication_date", messages: ["Missing data for required field."] }],
    ]);
  });
});
