// The files of a draft in pages and over HTTP (R43, R2d): how they are sent, who may have them, in which order; what is
// removed is put back; archives become files.
import { describe, expect, test } from "bun:test";
import { isKey, partsFor } from "../../src/pages/scripts/parts/upload-plan.ts";
import { NOW } from "../support/seed.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes, zip } from "../support/zip-writer.ts";

const MIB = 1024 * 1024;

const world = setUpWorld({ repository: true, recordFiles: true });

type Entry = {
  readonly id: string;
  readonly key: string;
  readonly metadata: object | null;
  readonly access: { readonly status: string; readonly until?: string; readonly groups?: readonly number[] };
};
type Listed = { readonly entries: readonly Entry[]; readonly message?: string; readonly errors?: readonly object[] };
const json = async (...asked: Parameters<typeof world.json>) => {
  const { status, json: body } = await world.json(...asked);
  return { status, body: body as unknown as Listed & Entry };
};
const keysOf = ({ body }: { readonly body: Listed }): readonly string[] => body.entries.map(({ key }) => key);
const draftFiles = (id: number, rest = ""): string => `/api/records/${id}/draft/files${rest}`;
const textOf = async (who: "registered" | "other" | null, id: number, key: string): Promise<string | number> => {
  const answer = await world.ask(who, "GET", `/api/records/${id}/files/${encodeURIComponent(key)}/content`);
  return answer.status === 200 ? answer.text : answer.status;
};

describe("how a file is sent", () => {
  test("P.170 R43 what is under way at once is at most a 200th of the file, but for small ones; parts grow with the file", () => {
    const plans = [1, 2048, 4096, 16_384, 65_536, 1_000_000].map((mib) => partsFor(mib * MIB));
    expect(plans.map(({ partBytes, inParallel }) => [partBytes / MIB, inParallel])).toEqual([
      ...[
        [5, 2],
        [5, 2],
        [5, 4],
        [20, 4],
        [64, 4],
        [100, 4],
      ],
    ]);
  });

  test("P.171 R43 names that the interface refuses are refused before the first byte", () => {
    expect(["a.txt", "図/写真 1.png", "é", "e\u0301"].map(isKey)).toEqual([true, true, true, true]);
    const refused = ["", "/a", "a/", "a//b", ".", "../a", "a\0b", "a\nb", "a\u202Efdp.exe", "a\u2066b"];
    expect(refused.map(isKey)).toEqual(refused.map(() => false));
  });
});

describe("who may have a file", () => {
  test("P.172 R2d access is set for each file and obeyed: a day, people who are signed in, a group, nobody", async () => {
    const { store } = world.parts;
    const group = await store.transact(async (tx) => {
      const made = (await tx.accounts.insertGroup("Hydrology", NOW)) ?? 0;
      await tx.accounts.setGroupMembers(made, [world.people.other.account.id]);
      return made;
    });
    const id = await world.draft("registered");
    const rules = {
      "open.txt": { status: "open" },
      "later.txt": { status: "date", until: "2199-01-01" },
      "past.txt": { status: "date", until: "2001-01-01" },
      "login.txt": { status: "login" },
      "group.txt": { status: "login", groups: [group] },
      "closed.txt": { status: "closed" },
    };
    for (const [key, access] of Object.entries(rules)) {
      await world.upload("registered", id, key, key);
      const set = await json("registered", "PUT", world.fileOf(id, key), { access, metadata: { description: key } });
      expect([set.status, set.body.access, set.body.metadata]).toEqual([
        200,
        { hidden: false, ...access },
        { description: key },
      ]);
    }
    // An answer that is sent back, and one without access, change nothing of it.
    const again = await json("registered", "PUT", world.fileOf(id, "closed.txt"), { access: { hidden: false } });
    expect([again.body.access.status, again.body.metadata]).toEqual(["closed", null]);
    await world.publish("registered", id);
    const readable = async (who: "registered" | "other" | null) => {
      const all: string[] = [];
      for (const key of Object.keys(rules)) if ((await textOf(who, id, key)) === key) all.push(key);
      return all;
    };
    expect(await readable(null)).toEqual(["open.txt", "past.txt"]);
    expect(await readable("registered")).toEqual(Object.keys(rules));
    expect(await readable("other")).toEqual(["open.txt", "past.txt", "login.txt", "group.txt"]);
    const outside = (await json("other", "GET", `/api/records/${id}/files`)).body.entries;
    expect(outside.find(({ key }) => key === "group.txt")?.access).toEqual({ hidden: false, status: "login" } as never);
    await store.transact((tx) => tx.accounts.setGroupMembers(group, []));
    expect(await readable("other")).toEqual(["open.txt", "past.txt", "login.txt"]);
  });

  test("P.172 R2d access may be registered with a file; what is wrong with it is reported by field, and nothing changes", async () => {
    const id = await world.draft("registered");
    const registered = await json("registered", "POST", draftFiles(id), [
      { key: "a.txt", access: { status: "closed" } },
      { key: "b.txt", access: { hidden: false } },
    ]);
    expect(registered.body.entries.map(({ access }) => access.status)).toEqual(["closed", "open"]);
    for (const key of ["a.txt", "b.txt"]) {
      await world.content("registered", id, key, key);
      await world.commit("registered", id, key);
    }
    const faults: readonly (readonly [object, string])[] = [
      [{ status: "secret" }, "access.status"],
      [{ status: "date" }, "access.until"],
      [{ status: "date", until: "2026-02-30" }, "access.until"],
      [{ status: "open", until: "2026-02-03" }, "access.until"],
      [{ status: "open", groups: [1] }, "access.groups"],
      [{ status: "login", groups: [999_999] }, "access.groups"],
      [{ status: "login", groups: ["x"] }, "access.groups"],
    ];
    for (const [access, field] of faults) {
      const { status, body } = await json("registered", "PUT", world.fileOf(id, "a.txt"), { access });
      expect([access, status, body.errors]).toEqual([
        access,
        400,
        [expect.objectContaining({ field: expect.stringContaining(field) })],
      ]);
    }
    expect((await json("registered", "GET", world.fileOf(id, "a.txt"))).body.access.status).toBe("closed");
    expect((await json("other", "PUT", world.fileOf(id, "a.txt"), { access: { status: "open" } })).status).toBe(404);
  });
});

describe("removed files", () => {
  const removed = async (id: number) => await json("registered", "GET", `/api/records/${id}/draft/files-removed`);
  const restore = async (id: number, removal: string, who: "registered" | "other" = "registered") =>
    await json(who, "POST", `/api/records/${id}/draft/files-removed/${removal}/restore`);

  test("P.173 R43 what is removed or replaced is put back as it was, until its name is in use or the draft ends", async () => {
    const id = await world.draft("registered");
    for (const key of ["data/a.txt", "b.txt"]) await world.upload("registered", id, key, key);
    await json("registered", "PUT", world.fileOf(id, "data/a.txt"), { access: { status: "closed" } });
    expect((await world.ask("registered", "DELETE", world.fileOf(id, "data/a.txt"))).status).toBe(204);
    const { body } = await removed(id);
    expect(keysOf({ body })).toEqual(["data/a.txt"]);
    const [first] = body.entries;
    // The sweep of the storage leaves its bytes alone.
    const { storageKey } = await world.parts.store.draftFiles
      .removedFiles(id as never, "2000-01-01T00:00:00.000Z" as never, 10)
      .then(([found]) => found?.file ?? { storageKey: "" });
    expect([...(await world.parts.store.items.namedKeys([storageKey]))]).toEqual([storageKey]);
    expect([(await restore(id, "nothing")).status, (await restore(id, first?.id ?? "", "other")).status]).toEqual([
      404, 404,
    ]);
    await world.upload("registered", id, "data/a.txt", "another");
    const taken = await restore(id, first?.id ?? "");
    expect([taken.status, taken.body.message]).toEqual([400, "File with key data/a.txt already exists."]);
    await world.ask("registered", "DELETE", world.fileOf(id, "data/a.txt"));
    const back = await restore(id, first?.id ?? "");
    expect([back.status, back.body.key, back.body.access.status]).toEqual([200, "data/a.txt", "closed"]);
    expect((await world.ask("registered", "GET", `${world.fileOf(id, "data/a.txt")}/content`)).text).toBe("data/a.txt");
    expect(keysOf(await removed(id))).toEqual(["data/a.txt"]);
    await world.ask("registered", "DELETE", draftFiles(id));
    expect(keysOf(await removed(id))).toHaveLength(3);
    const [last] = (await removed(id)).body.entries;
    await restore(id, last?.id ?? "");
    await world.publish("registered", id);
    expect((await removed(id)).status).toBe(404);
  });
});

describe("archives", () => {
  const unpack = async (id: number, key: string, who: "registered" | "other" = "registered") =>
    await json(who, "POST", `/api/records/${id}/draft/actions/files-unpack`, { key });
  const packed = async (pieces: Parameters<typeof zip>[0], key = "all.zip"): Promise<number> => {
    const id = await world.draft("registered");
    await world.upload("registered", id, "there.txt", "there");
    await world.upload("registered", id, key, new Uint8Array(zip(pieces)));
    return id;
  };
  const piece = (name: string, text = name) => ({ name: utf8Bytes(name), bytes: utf8Bytes(text) });

  test("P.174 R43 an archive becomes its files with their folders and its access, and can be put back", async () => {
    const id = await packed([piece("data/a.txt"), piece("data/図.txt", "図"), piece("cafe\u0301.txt")]);
    await json("registered", "PUT", world.fileOf(id, "all.zip"), { access: { status: "closed" } });
    const done = await unpack(id, "all.zip");
    expect([done.status, keysOf(done)]).toEqual([201, ["café.txt", "data/a.txt", "data/図.txt", "there.txt"]]);
    expect(done.body.entries.map(({ access }) => access.status)).toEqual(["closed", "closed", "closed", "open"]);
    expect((await world.ask("registered", "GET", `${world.fileOf(id, "data/図.txt")}/content`)).text).toBe("図");
    expect(keysOf(await json("registered", "GET", `/api/records/${id}/draft/files-removed`))).toEqual(["all.zip"]);
    expect((await unpack(id, "all.zip")).status).toBe(404);
  });

  test.each([
    ["a name in use", [piece("x.txt"), piece("there.txt")], "File with key there.txt already exists."],
    ["one name in two forms", [piece("caf\u00e9"), piece("cafe\u0301")], /two files|twice|same/],
    ["a way out", [piece("x.txt"), piece("../x.txt")], /cannot be unpacked/],
    ["control characters", [piece("x.txt"), piece("a\u0007b")], /cannot be unpacked/],
    ["NUL", [piece("a\0b")], /cannot be unpacked/],
    ["text that is reversed", [piece("a\u202Efdp.exe")], /cannot be unpacked/],
    ["a long name", [piece("x".repeat(2000))], /cannot be unpacked/],
    ["no file", [], /no files|cannot be unpacked/],
    ["wrong bytes", [piece("x.txt"), { ...piece("y.txt"), both: { crc32: 1 } }], /cannot be unpacked/],
  ] as const)("P.174 R43 an archive with %s is refused, and nothing of it is kept", async (_what, pieces, message) => {
    const id = await packed(pieces as never);
    const { status, body } = await unpack(id, "all.zip");
    expect([status, body.message]).toEqual([400, expect.stringMatching(message)]);
    expect(keysOf(await json("registered", "GET", draftFiles(id)))).toEqual(["all.zip", "there.txt"]);
  });

  test("P.174 R43 what is no archive, has too many files, or belongs to others is refused", async () => {
    const many = await packed(Array.from({ length: 1001 }, (_, at) => piece(`${at}`, "")));
    expect((await unpack(many, "all.zip")).status).toBe(400);
    expect((await unpack(many, "there.txt")).status).toBe(400);
    expect((await unpack(many, "all.zip", "other")).status).toBe(404);
    expect(keysOf(await json("registered", "GET", draftFiles(many)))).toEqual(["all.zip", "there.txt"]);
  });
});

describe("bad input", () => {
  test("P.175 R43 names with NUL, slashes, marks that reverse text: a clear message; NFC and NFD are one name; 255 bytes are one", async () => {
    const id = await world.draft("registered");
    const register = async (...keys: readonly string[]) =>
      await json(
        "registered",
        "POST",
        draftFiles(id),
        keys.map((key) => ({ key })),
      );
    for (const key of ["a\0b", "/a", "a//b", "a/", "..", "a\u202Efdp.exe", "\u2067a", "\ud800", "x".repeat(2000)]) {
      const { status, body } = await register(key);
      expect([key, status, (body.errors ?? []).length]).toEqual([key, 400, 1]);
    }
    expect((await register("caf\u00e9", "cafe\u0301")).status).toBe(400);
    expect((await register("caf\u00e9")).status).toBe(201);
    expect((await register("cafe\u0301")).body.message).toBe("File with key cafe\u0301 already exists.");
    expect((await register("潮".repeat(85))).status).toBe(201);
    expect(keysOf(await json("registered", "GET", draftFiles(id)))).toEqual(["caf\u00e9", "潮".repeat(85)]);
  });

  test("P.175 R43 parts out of order and twice, and two uploads of one name at once: one whole file", async () => {
    const id = await world.draft("registered");
    const size = 5 * MIB;
    const bytes = new Uint8Array(2 * size + 7).map((_, at) => (at * 7) % 251);
    const transfer = { type: "M", parts: 3, part_size: size, fingerprint: "7 days" };
    const start = () => json("registered", "POST", draftFiles(id), [{ key: "p.bin", size: bytes.length, transfer }]);
    const both = await Promise.all([start(), start()]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
    const part = (number: number, from = bytes) =>
      world.part("registered", id, "p.bin", number, from.slice((number - 1) * size, number * size));
    const early = await world.commit("registered", id, "p.bin");
    expect([early.status, early.text]).toEqual([400, expect.stringContaining("Missing: 1, 2, 3")]);
    const wrong = new Uint8Array(bytes.length);
    const sent = [await part(3), await part(1, wrong), ...(await Promise.all([part(1), part(2), part(2)]))];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const number of [0, 4, -1, "x", 1e9]) {
      const refused = await world.part("registered", id, "p.bin", number, "x");
      expect([number, refused.status]).toEqual([number, 400]);
    }
    // A file that grew, or shrank, while it was read.
    for (const body of [bytes.slice(0, size + 1), bytes.slice(0, size - 1)]) {
      expect((await world.part("registered", id, "p.bin", 2, body)).status).toBe(400);
    }
    const entry = (await world.json("registered", "GET", world.fileOf(id, "p.bin"))).json as never as {
      readonly transfer: object;
    };
    expect(entry.transfer).toMatchObject({ fingerprint: "7 days", uploaded_parts: [1, 2, 3] });
    const ends = await Promise.all([1, 2].map(() => world.commit("registered", id, "p.bin")));
    expect(ends.some(({ status }) => status === 200)).toBe(true);
    expect(ends.every(({ status }) => status === 200 || status === 400)).toBe(true);
    const headers = { host: "repo.example.org", authorization: `Bearer ${world.people.registered.token}` };
    const content = new Request(`http://repo.example.org${world.fileOf(id, "p.bin")}/content`, { headers });
    const whole = await world.handler(content, { addressOf: () => "192.0.2.1" });
    expect(Buffer.compare(new Uint8Array(await whole.arrayBuffer()), bytes)).toBe(0);
  });

  test("P.175 R43 two bodies of one name at once: the file is one of them, whole", async () => {
    const id = await world.draft("registered");
    await json("registered", "POST", draftFiles(id), [{ key: "one.txt" }]);
    const texts = ["a".repeat(100_000), "b".repeat(200_000)];
    await Promise.all(texts.map((text) => world.content("registered", id, "one.txt", text)));
    await Promise.all(texts.map(() => world.commit("registered", id, "one.txt")));
    const { text } = await world.ask("registered", "GET", `${world.fileOf(id, "one.txt")}/content`);
    expect(texts).toContain(text);
  });
});
