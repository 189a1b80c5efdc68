// Which files an item has, and how many and how large they are, is not for those who may not have any of them (R2h): no
// page, export, feed or search tells it, and files that are open are shown as before.
import { beforeAll, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { aContent, aFile, titled } from "../support/world/items.ts";
import { INDEXES, type PersonName } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const WHO = REPOSITORY_OPERATOR;
const ids = { restricted: 0, open: 0 };

const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const owner = world.people.registered.account.id;
  const publish = async (title: string, name: string, files: "public" | "restricted") => {
    const plain = aContent({ metadata: titled(title), indexes: [INDEXES.open] });
    const text = aFile(`${name}.txt`, { sizeBytes: 717171, mediaType: "text/x-rare" });
    const table = aFile(`${name}two.csv`, { sizeBytes: 5, storageKey: `${name}2` });
    const content = { ...plain, access: { ...plain.access, files }, files: [text, table] };
    return (await world.items.createAndPublish(WHO, { content, owner })).item.id;
  };
  ids.restricted = await publish("Restricted basalt", "shyname", "restricted");
  ids.open = await publish("Open basalt", "loudname", "public");
});

const get = (who: PersonName | null, path: string) => world.ask(who, "GET", path);

const EXPORTS = "json datacite-json datacite-xml dublincore jpcoar bibtex csl ro-crate marcxml".split(" ");
const paths = (id: number): readonly string[] => [
  ...["/records", "/api/records", "/api/v1/records"].map((path) => `${path}/${id}`),
  `/api/records/${id}/files`,
  ...EXPORTS.map((format) => `/records/${id}/export/${format}`),
];
const SHARED = [
  ...["/api/v1/records?q=basalt", "/api/records?q=basalt", "/search?q=basalt"],
  ...["atom", "jpcoar", "json"].map((format) => `/api/opensearch/search?q=basalt&format=${format}`),
  ...["jpcoar_2.0", "oai_dc"].map((prefix) => `/oai?verb=ListRecords&metadataPrefix=${prefix}`),
];

test("R2h names, sizes and types of restricted files are in no page, export, feed or harvest, those of open files are", async () => {
  const secrets = /shyname|717171|text\/x-rare/;
  for (const path of paths(ids.restricted)) {
    const { status, text } = await get(null, path);
    expect([path, status, secrets.exec(text)?.[0]]).toEqual([path, 200, undefined]);
  }
  expect((await get(null, `/records/${ids.restricted}/files`)).text).not.toContain("shyname");
  expect((await get("registered", `/records/${ids.restricted}/files`)).text).toContain("shyname");
  expect((await get(null, `/records/${ids.restricted}`)).text).toContain("Closed: access to the files is restricted");
  expect((await get(null, `/records/${ids.open}`)).text).not.toContain("access to the files is restricted");
  let answer = 0;
  for (const path of SHARED) {
    const { status, text } = await get(null, path);
    expect([path, status, text.includes("shyname")]).toEqual([path, 200, false]);
    if (text.includes("loudname")) answer += 1;
  }
  expect(answer).toBeGreaterThan(3);
  for (const path of paths(ids.open).filter((each) => /\/\d+$|files$|jpcoar|ro-crate|marcxml/.test(each))) {
    expect([path, (await get(null, path)).text.includes("loudname")]).toEqual([path, true]);
  }
  for (const path of paths(ids.restricted).filter((each) => /\/\d+$|files$|jpcoar|ro-crate|marcxml/.test(each))) {
    expect([path, (await get("registered", path)).text.includes("shyname")]).toEqual([path, true]);
  }
});

test("R2h a list of hits and tools tell no restricted file", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify([{ name: { en: "File", ja: "File" }, roCrateKey: "mainEntity" }]);
  const list = (who: PersonName | null) => world.ask(who, "POST", "/api/v1/records/list?q=basalt", { headers, body });
  const [ofGuest, ofOwner] = [(await list(null)).text, (await list("registered")).text];
  expect([ofGuest.includes("shyname"), ofGuest.includes("loudname")]).toEqual([false, true]);
  expect([ofOwner.includes("shyname"), ofOwner.includes("loudname")]).toEqual([true, true]);
  const { call } = toolCalls(world);
  for (const [name, args] of [
    ["get_record", { recid: String(ids.restricted) }],
    ["list_files", { recid: String(ids.restricted) }],
    ["search_records", { query: "basalt" }],
  ] as const) {
    expect([name, JSON.stringify(await call(null, name, args)).includes("shyname")]).toEqual([name, false]);
  }
});

test("R2h whether a restricted file is there is not revealed: an address of one answers as that of none", async () => {
  const answers = async (path: (name: string) => string) => {
    const messages = [];
    for (const name of ["shyname.txt", "nothing.txt"]) {
      const { status, text } = await get(null, path(name));
      messages.push([status, text.replaceAll(name, "NAME").replaceAll(encodeURIComponent(name), "NAME")]);
    }
    return messages;
  };
  for (const path of [
    (name: string) => `/records/${ids.restricted}/files/${name}`,
    (name: string) => `/api/records/${ids.restricted}/files/${name}`,
    (name: string) => `/api/records/${ids.restricted}/files/${name}/content`,
  ]) {
    const [there, none] = await answers(path);
    expect(none).toEqual(there);
    expect([401, 403, 404].map(String)).toContain(String(there?.[0]));
  }
  expect((await get(null, `/records/${ids.open}/files/nothing.txt`)).status).toBe(404);
});

test("R2h files are searched by what the caller may know of them", async () => {
  const found = async (who: PersonName | null, q: string): Promise<readonly number[]> => {
    const { text } = await get(who, `/api/records?sort=oldest&q=${encodeURIComponent(q)}`);
    return JSON.parse(text).hits.hits.map(({ id }: { id: string }) => Number(id));
  };
  const { restricted, open } = ids;
  const both = [restricted, open];
  for (const [q, guest, privileged] of [
    ["files.entries.key:shyname.txt", [], [restricted]],
    ["files.entries.key:shy*", [], [restricted]],
    ["files.entries.key:loudname.txt", [open], [open]],
    ["files.entries.key:/shy.*/", [], []],
    ["files.entries.key:/loud.*/", [open], [open]],
    ["_exists_:files.entries.key", [open], both],
    ["files.types:csv", [open], both],
    ["files.entries.ext:csv", [open], both],
    ["files.count:2", [open], both],
    ["files.count:[0 TO 100]", [open], both],
    ["basalt NOT files.count:2", [restricted], []],
    ["files.totalbytes:717176", [open], both],
    ["files.enabled:true", both, both],
    ["files.enabled:false", [], []],
  ] as const) {
    for (const who of [null, "other"] as const) expect([q, who, await found(who, q)]).toEqual([q, who, guest]);
    for (const who of ["registered", "admin"] as const) {
      expect([q, who, await found(who, q)]).toEqual([q, who, privileged]);
    }
  }
  const { aggregations } = JSON.parse((await get(null, "/api/records?q=basalt")).text);
  const types = aggregations.file_type.buckets.map(({ key, doc_count }: { key: string; doc_count: number }) => [
    key,
    doc_count,
  ]);
  expect(types).toEqual([
    ["csv", 1],
    ["txt", 1],
  ]);
  const byMediaType = JSON.parse((await get(null, "/api/v1/records?mimetype=text%2Fx-rare")).text);
  expect(byMediaType.search_results.map(({ id }: { id: string }) => Number(id))).toEqual([open]);
});
