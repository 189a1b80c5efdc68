// Every interface that takes a target refuses one without a host, and an unknown placeholder (A20).
import { beforeAll, describe, expect, test } from "bun:test";
import { readRedirect } from "../../src/ark/target.ts";
import { readConfig } from "../../src/config.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";
import type { Json } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const HOSTLESS = ["https:ex.org/a", "https:/ex.org/a", "http:///x", "https:\\\\ex.org/a", "HTTP:ex.org"];
const UNKNOWN = [
  "https://ex.org/${pid}",
  "https://ex.org/${Ark}",
  "https://ex.org/${ark}/${ nothing }".replaceAll(" ", ""),
];

let ark: string;
const world = setUpWorld({ names: true });
beforeAll(async () => {
  ark = await world.make("published");
});

/** Every call with a target, and where the answer must point. */
const ENDPOINTS: readonly (readonly [string, string, (url: string) => Json, readonly (string | number)[]])[] = [
  ["POST", "mint", (url) => ({ url }), ["body", "url"]],
  ["POST", "mint/bulk", (url) => ({ data: [{}, { url }] }), ["body", "data", 1, "url"]],
  ["POST", "register", (url) => ({ ark, qualifier: "/p", url }), ["body", "url"]],
  ["POST", "import", (url) => ({ ark: "ark:99999/b1np1wh8v", url }), ["body", "url"]],
  ["POST", "import/bulk", (url) => ({ data: [{ ark: "ark:99999/b1np1wh8v", url }] }), ["body", "data", 0, "url"]],
  ["PUT", "update", (url) => ({ ark, url }), ["body", "url"]],
  ["PATCH", "update", (url) => ({ ark, url }), ["body", "url"]],
  ["PUT", "update/bulk", (url) => ({ data: [{ ark, url }] }), ["body", "data", 0, "url"]],
  ["PATCH", "update/bulk", (url) => ({ data: [{ ark, url }] }), ["body", "data", 0, "url"]],
  ["PUT", "tombstone", (url) => ({ ark, url }), ["body", "url"]],
];

describe("targets at every interface", () => {
  test.each(ENDPOINTS)(
    "A20 %s /api/%s refuses no host and unknown placeholders: 422",
    async (method, path, body, loc) => {
      for (const url of [...HOSTLESS, ...UNKNOWN]) {
        const answer = await world.send("org-a", method, path, body(url));
        expect([url, answer.status]).toEqual([url, 422]);
        expect(answer.body.detail).toMatchObject([{ loc, type: "value_error", input: url }]);
      }
      expect((await world.read(ark))?.url).toBe("https://example.org/thing");
    },
  );

  test("A20 A31b the apply file refuses them in redirects, minters, pages and policies, and nothing is applied", async () => {
    const folder = temporaryFolder("interfaces");
    const env = { SVC_DATA_DIR: folder.path };
    const naan = { naan: "99999", name: "Example" };
    const organisations = [{ naan: "99999", name: "org-a" }];
    const shoulder = { naan: "99999", shoulder: "b1", organisation: "org-a" };
    for (const url of HOSTLESS) {
      const documents = [
        { naans: [naan, { naan: "88888", authoritative: false, redirect: url }] },
        { naans: [naan, { naan: "88888", authoritative: false, redirect: `303 ${url}` }] },
        { naans: [{ ...naan, minter: url }] },
        { naans: [{ ...naan, policy_url: url }] },
        { naans: [naan], organisations, shoulders: [{ ...shoulder, status: "delegated", minter: url }] },
        { naans: [naan], organisations, shoulders: [{ ...shoulder, about: url }] },
        { naans: [naan], organisations, shoulders: [{ ...shoulder, redirect: url }] },
      ];
      for (const document of documents) {
        const response = await arkstone(env, ["apply", "-"], JSON.stringify(document));
        expect([JSON.stringify(document), response.code]).toEqual([JSON.stringify(document), 1]);
      }
    }
    expect((await arkstone(env, ["naan", "list"])).out).toBe("");
    folder.remove();
  });

  test("A31b a template refuses unknown variables and what names no host", () => {
    for (const template of ["https://ex.org/${ark}", "https://ex.org/${name}", ...HOSTLESS, "https:\\ex.org/${pid}"]) {
      expect(readRedirect(template)).toHaveProperty("problem");
    }
  });

  test("A20 settings that are addresses name a host too", () => {
    for (const name of ["BASE_URL", "GLOBAL_RESOLVER", "OIDC_JWKS_URL"]) {
      for (const url of HOSTLESS) expect(() => readConfig({ [`SVC_${name}`]: url })).toThrow(`SVC_${name}`);
    }
    const oidc = { SVC_AUTH: "oidc", SVC_OIDC_AUDIENCE: "us" };
    for (const url of HOSTLESS) expect(() => readConfig({ ...oidc, SVC_OIDC_ISSUER: url })).toThrow("SVC_OIDC_ISSUER");
  });

  test("A20 the command line and files refuse them: mint, update, tombstone, retarget, import", async () => {
    const folder = temporaryFolder("interfaces");
    const env = { SVC_DATA_DIR: folder.path };
    const service = {
      naans: [{ naan: "99999", name: "Example" }],
      organisations: [{ naan: "99999", name: "org-a", default_shoulder: "b1" }],
      shoulders: [{ naan: "99999", shoulder: "b1", organisation: "org-a" }],
    };
    await arkstone(env, ["apply", "-"], JSON.stringify(service));
    const minted = (await arkstone(env, ["ark", "mint", "--shoulder", "b1", "--url", "https://ex.org/"])).out.trim();
    for (const url of [...HOSTLESS, ...UNKNOWN]) {
      const calls = [
        ["ark", "mint", "--shoulder", "b1", "--url", url],
        ["ark", "update", minted, "--url", url],
        ["ark", "tombstone", minted, "--url", url],
        ["ark", "retarget", "--shoulder", "b1", "--from", "https://ex.org/", "--to", url],
      ];
      for (const call of calls) expect([call, (await arkstone(env, call)).code]).toEqual([call, 1]);
      const row = `${JSON.stringify({ ark: "ark:99999/b1np1wh8v", url })}\n`;
      expect((await arkstone(env, ["import", "-", "--format", "ndjson"], row)).err).toContain("Nothing was imported");
      const arklet = `ark,url\n99999/b1np1wh8v,"${url}"\n`;
      expect((await arkstone(env, ["import", "-", "--from", "arklet"], arklet)).err).toContain("Nothing was imported");
    }
    expect(JSON.parse((await arkstone(env, ["ark", "list", "--json"])).out).data).toMatchObject([
      { url: "https://ex.org/" },
    ]);
    folder.remove();
  });

  test("A51 A15 a client's import knows no state, no time, no origin and no history: 422, nothing is made", async () => {
    const row = { ark: "ark:99999/b1np1wh8v" };
    const AT = "2020-01-01T00:00:00.000Z";
    const times = { published_at: AT, created_at: AT, hold_until: null, first_published_at: null, withdrawn_at: null };
    const fields = { state: "tombstoned", ...times, origin: "minted", history: [] };
    for (const [name, value] of Object.entries(fields)) {
      for (const who of ["org-a", "naan", "system"]) {
        const one = await world.send(who, "POST", "import", { ...row, [name]: value });
        const expected = [name, 422, [{ loc: ["body", name], type: "extra_forbidden" }]];
        expect([name, one.status, one.body.detail]).toMatchObject(expected);
        expect((await world.send(who, "POST", "import/bulk", { data: [{ ...row, [name]: value }] })).status).toBe(422);
      }
    }
    expect(await world.read(row.ark)).toBeUndefined();
  });
});
