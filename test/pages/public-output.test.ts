// What the public sees (R2g): no e-mail address of a person, no hash of a file one may not read, at no interface and in
// no format.
import { beforeAll, describe, expect, test } from "bun:test";
import { hasMailAddress, publicMetadata } from "../../src/model/metadata/public-metadata.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { aFile, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const agent = (mail: string) => ({
  ...{ kind: "personal" as const, names: [{ family: "Doe", given: "Ada" }], alternatives: [], ids: [] },
  ...{ emails: [mail], affiliations: [] },
});
const METADATA = titled("Of hidden things", {
  creators: [agent("creator@hidden.example")],
  contributors: [{ ...agent("contributor@hidden.example"), role: "Editor" }],
  rightsHolders: [agent("holder@hidden.example")],
  catalog: {
    ...{ contributors: [agent("catalog@hidden.example")], ids: [], titles: [], descriptions: [], subjects: [] },
    ...{ licenses: [], rights: [], files: [] },
  },
  custom: {
    "1:contact": "custom@hidden.example",
    "1:note": "kept in public",
    "svc:names": { mail: ["deep@hidden.example"] },
  },
  extra: [
    { format: "ro-crate", path: "./ contactPoint", value: { email: "mailto:extra@hidden.example" } },
    { format: "ro-crate", path: "./ other", value: "kept too" },
  ],
});
const CLOSED = "c1".repeat(32);
const OPEN = "0a".repeat(32);

let id = 0;
const world = setUpWorld({ pages: true });
beforeAll(async () => {
  const files = [
    aFile("closed.txt", { access: "closed", sha256: CLOSED }),
    aFile("later.txt", { access: "date", accessDate: "2099-01-01", sha256: "d2".repeat(32) }),
    aFile("open.txt", { sha256: OPEN }),
  ];
  id = (await world.publish({ metadata: METADATA, files, indexes: [1] })).id;
});

describe("public output", () => {
  const PATHS = (): readonly string[] => [
    ...["", "/export/ro-crate", "/export/jpcoar"].map((path) => `/records/${id}${path}`),
    ...["/", "/index", "/index/1", "/sitemap.xml", "/robots.txt", `/sword/deposit/${id}`, "/sword/service-document"],
  ];

  test("R2g guests and strangers find no e-mail address of a person and no hash of a closed file, wherever they look", async () => {
    const stranger = await world.token(await world.person("stranger", [3]));
    for (const authorization of [null, `Bearer ${stranger}`]) {
      for (const path of PATHS()) {
        const page = await world.visitor().get(path, authorization === null ? {} : { authorization });
        const messages = [page.text, ...page.headers.entries()].join("\n");
        expect([path, messages.includes("@hidden.example")]).toEqual([path, false]);
        expect([path, messages.includes(CLOSED), messages.includes("d2d2d2")]).toEqual([path, false, false]);
      }
    }
  });

  test("R2g the crate of a guest has the hash of the open file, the rest of the metadata, and every file by name", async () => {
    const { status, text } = await world.visitor().get(`/records/${id}/export/ro-crate`);
    expect(status).toBe(200);
    for (const answer of [OPEN, "Of hidden things", "closed.txt", "later.txt", "kept in public", "kept too"]) {
      expect(text).toContain(answer);
    }
  });

  test("R2g R19b whose item it is gets all of it", async () => {
    const authorization = `Bearer ${await world.token(world.owner)}`;
    const { text } = await world.visitor().get(`/records/${id}/export/ro-crate`, { authorization });
    for (const answer of ["creator@hidden.example", "extra@hidden.example", CLOSED]) expect(text).toContain(answer);
  });

  test("R2g R2c the page of a deleted item tells nobody's address", async () => {
    const gone = await world.publish({ metadata: METADATA, indexes: [1] });
    await world.items.remove(world.owner, gone.id);
    const page = await world.visitor().get(`/records/${gone.id}`);
    expect([page.status, page.text.includes("@hidden.example")]).toEqual([410, false]);
  });
});

describe("publicMetadata()", () => {
  test("R2g takes the addresses of people out of every member, and what has no place whole where it holds one", () => {
    const answer = JSON.stringify(publicMetadata(METADATA));
    expect(answer).not.toContain("@hidden.example");
    for (const kept of ["kept in public", "kept too", "Doe", "Editor"]) expect(answer).toContain(kept);
  });

  test.each([
    ["ada@example.org", true],
    ["Write to 山田@例え.jp, please", true],
    ["mailto:a.b+c@x.example.org?subject=x", true],
    ["@handle and a@b", false],
    ["a @ b.c", false],
    ["5 @ 3.2", false],
    ["user@host", false],
  ])("R2g hasMailAddress() of %j is %p", (text, expected) => {
    expect(hasMailAddress(text)).toBe(expected);
  });

  test("R2g R9a a million signs take no time", async () => {
    const ms = await cpuMs(() => {
      expect(hasMailAddress("a@".repeat(500_000))).toBe(false);
      expect(hasMailAddress(`${"a.".repeat(500_000)}@`)).toBe(false);
    });
    expect(ms).toBeLessThan(1_500);
  });
});
