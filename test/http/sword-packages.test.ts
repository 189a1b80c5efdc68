// The content of packages and what becomes of it (specification 2, "Package content rules", steps 6, 8, 9, 11; R13a,
// R14, R18).
import { describe, expect, test } from "bun:test";
import {
  cratePackage,
  freshTitle,
  type Package,
  plainPackage,
  splitPackage,
  swordPackage,
  tablePackage,
} from "../support/deposit-requests.ts";
import { bagPieces, crateOf, hashOf, jpcoarOf, tableColumns, tableOf } from "../support/package-builder.ts";
import { type Answer, BASE_URL, INDEXES, RESOLVER_URL, recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

const world = setUpWorld({ repository: true });

const noteOf = ({ json }: Answer): string =>
  (json.state as readonly { readonly description: string }[])[0]?.description ?? "";
const linksOf = ({ json }: Answer): readonly string[] =>
  (json.links as readonly { readonly "@id": string }[]).map((link) => link["@id"]);
async function taken(pkg: Package) {
  const answer = await world.deposit("registered", pkg);
  if (answer.status !== 201) throw new Error(answer.text);
  const id = recidOf(answer);
  const { content } = await world.item(id);
  if (content === null) throw new Error("not published");
  return { answer, id, content };
}
async function expectMalformed(pkg: Package, error: string | RegExp): Promise<void> {
  const answer = await world.deposit("registered", pkg);
  expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
  if (typeof error === "string") expect(answer.json.error).toBe(error);
  else expect(String(answer.json.error)).toMatch(error);
}
const table = () => tableOf(tableColumns(freshTitle()));
const A_TXT = { name: "data/a.txt", bytes: "The quick brown fox\n" };

describe("R13a S2.6 what a package is", () => {
  test("R13a tables and XML files are at the top or directly under data/, their extension in any case", async () => {
    for (const name of ["items.tsv", "data/items.TSV", "data/ITEMS.tsv"]) {
      const file = name.startsWith("data/") ? A_TXT : { ...A_TXT, name: "a.txt" };
      const { content } = await taken(plainPackage([{ name, bytes: table() }, file]));
      expect(content.files.map((each) => each.name)).toEqual(["a.txt"]);
    }
    await expectMalformed(
      plainPackage([{ name: "data/deep/items.tsv", bytes: table() }, A_TXT]),
      /^No metadata in the package/,
    );
  });

  test("R13a a crate comes before tables and XML, a table before XML; other tables and XML files are payload", async () => {
    const payload = [
      { path: "items.tsv", bytes: table() },
      { path: "item.xml", bytes: jpcoarOf() },
    ];
    const crate = await taken(cratePackage({}, payload));
    expect(crate.content.files.map(({ name }) => name).sort()).toEqual(["item.xml", "items.tsv"]);
    const others = [
      { name: "data/numbers.csv", bytes: "a,b\n1,2\n" },
      { name: "data/item.xml", bytes: jpcoarOf() },
      { name: "data/page.xml", bytes: "<html/>" },
    ];
    const { content } = await taken(plainPackage([{ name: "data/items.tsv", bytes: table() }, A_TXT, ...others]));
    expect(content.files.map(({ name }) => name).sort()).toEqual(["a.txt", "item.xml", "numbers.csv", "page.xml"]);
  });

  test("message 11 R13a two tables, or two XML files, are one too many", async () => {
    const tables = plainPackage([
      { name: "a.tsv", bytes: table() },
      { name: "data/b.csv", bytes: table().replaceAll("\t", ",") },
    ]);
    await expectMalformed(tables, 'Item check error: More than one metadata file: "a.tsv", "data/b.csv"');
    const xmls = plainPackage([
      { name: "a.xml", bytes: jpcoarOf() },
      { name: "b.xml", bytes: jpcoarOf() },
    ]);
    await expectMalformed(xmls, 'Item check error: More than one metadata file: "a.xml", "b.xml"');
  });

  test("R13a without any metadata: 400 ContentMalformed", async () => {
    for (const pieces of [
      [],
      [A_TXT],
      [A_TXT, { name: "data/n.csv", bytes: "a,b\n" }],
      [{ name: "x.xml", bytes: "<a/>" }],
    ]) {
      await expectMalformed(plainPackage(pieces), /^No metadata in the package/);
    }
  });

  test("message 11 R4 a table of an item type that was deleted is of an unknown one", async () => {
    const known = await world.store.settings.itemType(1);
    if (known === null) throw new Error("there is no item type 1");
    const save = (deleted: boolean) =>
      world.store.transact((tx) => tx.settings.saveItemType({ ...known, deleted }, world.time.now));
    await save(true);
    await expectMalformed(tablePackage(), /item type .* is unknown/);
    await save(false);
    expect((await world.deposit("registered", tablePackage())).status).toBe(201);
  });

  test("message 11 R13a more than one item in a table", async () => {
    const lines = table().trimEnd().split("\n");
    const two = plainPackage([
      { name: "items.tsv", bytes: `${[...lines, lines.at(-1)].join("\n")}\n` },
      { ...A_TXT, name: "a.txt" },
    ]);
    await expectMalformed(two, /^Item check error: .*2 items/);
  });

  test.each([
    [".id of a table", (id: number) => tablePackage({ ".id": String(id) })],
    [".uri of a table", (id: number) => tablePackage({ ".uri": `${BASE_URL}/records/${id}` })],
    ["identifier of a crate", (id: number) => cratePackage({ identifier: String(id) })],
    ["uri of a crate", (id: number) => cratePackage({ uri: `${BASE_URL}/records/${id}` })],
  ])("message 12 R13a the %s names an item that exists", async (_, build) => {
    const { id } = await taken(cratePackage({ name: "There already" }));
    const answer = await world.deposit("registered", build(id));
    const expected = [400, "BadRequest", "This item is already registered: There already"];
    expect([answer.status, answer.json["@type"], answer.json.error]).toEqual(expected);
  });

  test("message 12 R2d the title of what the depositor may not read is not shown, its number is", async () => {
    const { id } = await taken(cratePackage({ name: "A secret", "svc:publishStatus": "private" }));
    const answer = await world.deposit("other", tablePackage({ ".id": String(id) }));
    expect(answer.json.error).toBe(`This item is already registered: ${id}`);
    expect(answer.text).not.toContain("secret");
  });

  test("R13a addresses of other repositories name none of our items, whatever number they end with; http and https are one", async () => {
    const { id } = await taken(cratePackage());
    for (const uri of [
      `https://elsewhere.example.org/records/${id}`,
      `${BASE_URL}.example.net/records/${id}`,
      `${BASE_URL}/other/records/${id}`,
      `${BASE_URL}/records/${id}/files/x`,
      "not an address",
    ]) {
      const { answer } = await taken(tablePackage({ ".uri": uri }));
      expect(noteOf(answer)).toBe(`The address "${uri}" names no item of this repository: it was passed over.`);
    }
    for (const uri of [
      `http${BASE_URL.slice(5)}/records/${id}`,
      `/records/${id}`,
      `${BASE_URL}/records/${id}/`,
      `${BASE_URL}/records/${id}?ln=ja`,
    ]) {
      const answer = await world.deposit("registered", tablePackage({ ".uri": uri }));
      const expected = [uri, 400, "This item is already registered"];
      expect([uri, answer.status, String(answer.json.error).slice(0, 31)]).toEqual(expected);
    }
  });

  test("R13a 404 for an item that never was, and for one that was deleted", async () => {
    const { id } = await taken(cratePackage());
    await world.remove("registered", id);
    for (const gone of [id, 999_999]) {
      const answer = await world.deposit("registered", tablePackage({ ".id": String(gone) }));
      expect([answer.status, answer.json["@type"]]).toEqual([404, "NotFound"]);
    }
  });

  test("R13a paths are flattened: every byte but A-Za-z0-9_.-~ is encoded, and two files that become one name are refused", async () => {
    const payload = [
      { path: "a/b c.pdf", bytes: "%PDF-1" },
      { path: "a/図.txt", bytes: "map" },
      { path: "plain name.txt", bytes: "top" },
      { path: "a/b/c~d_e-f.txt", bytes: "deep" },
    ];
    const { id } = await taken(cratePackage({}, payload));
    const files = await world.filesOf(id);
    const names = { "a%2Fb%20c.pdf": "%PDF-1", "a%2Fb%2Fc~d_e-f.txt": "deep" };
    const texts = Object.entries({ ...names, "a%2F%E5%9B%B3.txt": "map", "plain name.txt": "top" });
    const expected = texts.map(([name, text]): [string, Uint8Array] => [name, utf8Bytes(text)]);
    expect(new Map([...files].sort())).toEqual(new Map(expected.sort()));
    const clash = [
      { path: "a/b.txt", bytes: "1" },
      { path: "a%2Fb.txt", bytes: "2" },
    ];
    await expectMalformed(cratePackage({}, clash), /would both be named "a%2Fb\.txt"/);
  });

  test("R13a a table may call its files by path or by flattened name; one it promises and does not bring is message 11", async () => {
    const path = ".metadata.item_1617605131499[0].filename";
    const file = { path: "a/b.txt", bytes: "b" };
    for (const name of ["a/b.txt", "a%2Fb.txt"]) {
      const { content } = await taken(tablePackage({ ".file_path[0]": "a/b.txt", [path]: name }, { file }));
      expect(content.files.map((each) => each.name)).toEqual(["a%2Fb.txt"]);
    }
    await expectMalformed(
      tablePackage({ ".file_path[0]": "missing.txt", [path]: "missing.txt" }),
      'Item check error: the file "missing.txt" is not in the package',
    );
  });
});

describe("R13a a split deposit", () => {
  const relations = async (id: number) =>
    (await world.item(id)).content?.metadata.relations.map(({ type, ident }) => [type, ident?.value]);

  test("R13a evidence first, linked both ways; the status document is the paper's, with both landing pages and both ARKs", async () => {
    const answer = await world.deposit("registered", splitPackage());
    expect(answer.status).toBe(201);
    const paper = recidOf(answer);
    const links = linksOf(answer);
    const pages = links.filter((url) => url.startsWith(`${BASE_URL}/records/`));
    const evidence = Number(pages[1]?.split("/").at(-1));
    expect([pages.length, pages[0], evidence < paper]).toEqual([2, `${BASE_URL}/records/${paper}`, true]);
    expect(links.filter((url) => url.startsWith(`${RESOLVER_URL}/ark:`)).length).toBe(2);
    expect(await relations(paper)).toEqual([["isSupplementedBy", `${BASE_URL}/records/${evidence}`]]);
    expect(await relations(evidence)).toEqual([["isSupplementTo", `${BASE_URL}/records/${paper}`]]);
    expect([...(await world.filesOf(paper)).keys()]).toEqual(["paper.pdf"]);
    expect(await world.filesOf(evidence)).toEqual(new Map([["data.csv", utf8Bytes("a,b\n1,2\n")]]));
    expect((await world.status("registered", evidence)).status).toBe(200);
  });

  test("R13a R13 when one part is refused neither is registered", async () => {
    const before = [await world.countItems(), world.leftovers()];
    for (const pkg of [splitPackage({}, { "svc:index": ["777"] }), splitPackage({}, {}, { "svc:index": ["777"] })]) {
      expect((await world.deposit("registered", pkg)).status).toBe(400);
    }
    expect([await world.countItems(), world.leftovers()]).toEqual(before);
  });

  test("step 9 splitting serves two parts, no other number", async () => {
    await expectMalformed(cratePackage({ "svc:isSplited": true }), /^Item check error: .*2 are needed$/);
  });
});

describe("S2.6 R14 flags", () => {
  test.each(["svc:", "wk:"])("R14 %ssaveAsIs keeps the package itself as the item's one file", async (prefix) => {
    for (const value of [true, "true"]) {
      const pkg = cratePackage({ [`${prefix}saveAsIs`]: value }, [{ path: "a/b.txt", bytes: "inside" }]);
      const { id, answer, content } = await taken(pkg);
      expect(await world.filesOf(id)).toEqual(new Map([["package.zip", pkg.bytes]]));
      expect(content.files[0]?.sha256).toBe(hashOf(pkg.bytes));
      expect(noteOf(answer)).toBe("");
    }
    const off = await taken(cratePackage({ [`${prefix}saveAsIs`]: "false" }));
    expect(off.content.files.map(({ name }) => name)).toEqual(["a.txt"]);
  });

  test.each(["svc:", "wk:"])(
    "R14 %sindex and %spublishStatus set place and access; absent: the client's",
    async (prefix) => {
      const { content } = await taken(
        cratePackage({ [`${prefix}index`]: [String(INDEXES.hidden)], [`${prefix}publishStatus`]: "private" }),
      );
      expect([content.indexes, content.access.record]).toEqual([[INDEXES.hidden], "restricted"]);
      const usual = await taken(cratePackage());
      expect([usual.content.indexes, usual.content.access.record]).toEqual([[INDEXES.open], "public"]);
      await expectMalformed(
        cratePackage({ [`${prefix}publishStatus`]: "secret" }),
        'Item check error: publish status "secret" is neither public nor private',
      );
      await expectMalformed(
        cratePackage({ [`${prefix}index`]: ["x"] }),
        'Item check error: index "x" is not an index id',
      );
    },
  );

  test("R14 without an index anywhere: SVC_DEFAULT_INDEX, else none", async () => {
    const bare = await world.token("registered", undefined, { defaultIndex: null });
    const other = world.under({ SVC_DEFAULT_INDEX: String(INDEXES.hidden) });
    const placed = async (answer: Answer) => (await world.item(recidOf(answer))).content?.indexes;
    expect(await placed(await other.deposit(bare, cratePackage()))).toEqual([INDEXES.hidden]);
    expect(await placed(await world.deposit(bare, cratePackage()))).toEqual([]);
    expect(await placed(await other.deposit("registered", cratePackage()))).toEqual([INDEXES.open]);
  });

  test("message 11 R14 an index that was deleted", async () => {
    const viewer = await world.viewer("admin");
    await world.store.transact(async (tx) => {
      const first = await tx.indexes.index(INDEXES.hidden);
      if (first !== null) await tx.indexes.insertIndex({ ...first, id: 555 });
      await tx.indexes.deleteIndexes([555], world.time.now);
    });
    expect(viewer.account).not.toBeNull();
    await expectMalformed(cratePackage({ "svc:index": ["555"] }), "Item check error: index 555 does not exist");
  });

  test.each(["svc:", "wk:"])("R14 %smetadataReplace is refused on a new item", async (prefix) => {
    for (const value of [true, "true"]) {
      await expectMalformed(
        cratePackage({ [`${prefix}metadataReplace`]: value }),
        "Item check error: 'svc:metadataReplace' flag cannot be used when registering an item.",
      );
    }
  });

  test.each(["data/tide.csv", "./data/tide.csv", "data/data/tide.csv"])(
    "R13a a folder of the payload may be called data/ too: %s means the file in it, and nothing is reported as left out",
    async (id) => {
      const payload = [
        { path: "data/tide.csv", bytes: "in a folder" },
        { path: "other.csv", bytes: "next to it" },
      ];
      const described = { "@id": id, "@type": "File", "svc:access": "closed" };
      const root = { hasPart: [{ "@id": id }, { "@id": "other.csv" }] };
      const crate = crateOf(["other.csv"], { name: freshTitle(), ...root }, [described]);
      const { answer, content } = await taken(plainPackage(bagPieces({ payload, crate })));
      expect([noteOf(answer), content.files.map(({ name, access }) => [name, access])]).toEqual([
        "",
        [
          ["data%2Ftide.csv", "closed"],
          ["other.csv", "open"],
        ],
      ]);
    },
  );

  test("R13a a folder called data/ in either part of a split package, and one next to a file of its name", async () => {
    const payload = [
      { path: "data/a.csv", bytes: "below" },
      { path: "a.csv", bytes: "above" },
    ];
    const closed = { "@id": "data/a.csv", "@type": "File", "svc:access": "closed" };
    const crate = crateOf(["a.csv"], { name: freshTitle(), hasPart: [{ "@id": "a.csv" }, { "@id": "data/a.csv" }] }, [
      closed,
    ]);
    const { answer, content } = await taken(plainPackage(bagPieces({ payload, crate })));
    expect([noteOf(answer), content.files.map(({ name, access }) => [name, access]).sort()]).toEqual([
      "",
      [
        ["a.csv", "open"],
        ["data%2Fa.csv", "closed"],
      ],
    ]);
    const part = (id: string, file: string) => {
      const described = { name: freshTitle(), datePublished: "2026-01-01", creator: { "@id": "#someone" } };
      return { "@id": id, "@type": "Dataset", ...described, hasPart: [{ "@id": file }] };
    };
    const root = { "svc:isSplited": true, hasPart: [{ "@id": "_:one" }, { "@id": "_:two" }] };
    const split = crateOf(["data/a.csv", "data/b.csv"], root, [
      part("_:one", "data/a.csv"),
      part("_:two", "data/b.csv"),
    ]);
    const two = [
      { path: "data/a.csv", bytes: "a" },
      { path: "data/b.csv", bytes: "b" },
    ];
    const both = await world.deposit("registered", plainPackage(bagPieces({ payload: two, crate: split })));
    expect([both.status, noteOf(both).includes("left out")]).toEqual([201, false]);
    const paper = recidOf(both);
    const names = async (id: number) => (await world.item(id)).content?.files.map(({ name }) => name);
    const evidence = linksOf(both)
      .map((url) => /records\/(\d+)$/.exec(url)?.[1])
      .find((id) => id !== undefined && Number(id) !== paper);
    expect([...((await names(paper)) ?? []), ...((await names(Number(evidence))) ?? [])].sort()).toEqual([
      "data%2Fa.csv",
      "data%2Fb.csv",
    ]);
    expect((await names(paper))?.length).toBe(1);
  });

  test.each(["svc:", "wk:"])("R14 %smetadataAutoFill without a configured service: a notice", async (prefix) => {
    const { answer } = await taken(cratePackage({ [`${prefix}metadataAutoFill`]: true, identifier: "10.1234/auto" }));
    expect(noteOf(answer)).toBe("Metadata completion is not configured here: nothing was filled in.");
  });

  test("R14 svc:itemLinks become relations: to an item by its number, to anything else by its address", async () => {
    const { id } = await taken(cratePackage());
    const links = [
      { identifier: String(id), value: "isVersionOf" },
      { identifier: "https://elsewhere.example.org/9", value: "references" },
    ];
    const { content } = await taken(cratePackage({ "svc:itemLinks": links }));
    expect(content.metadata.relations.map(({ type, ident }) => [type, ident?.value])).toEqual([
      ["isVersionOf", `${BASE_URL}/records/${id}`],
      ["references", "https://elsewhere.example.org/9"],
    ]);
    const missing = { "svc:itemLinks": [{ identifier: "888888", value: "references" }] };
    await expectMalformed(
      cratePackage(missing),
      "Item check error: svc:itemLinks names item 888888, which does not exist",
    );
  });

  test("R14 unknown svc: keys are kept in extra and reported; private settings are kept and never shown", async () => {
    const mails = { "svc:feedbackMail": ["someone@example.org"], "svc:requestMail": "ask@example.org" };
    const { answer, content } = await taken(cratePackage({ "svc:colour": "red", ...mails }));
    expect(content.metadata.extra).toMatchObject([{ path: "svc:colour", value: "red" }]);
    expect(noteOf(answer)).toBe("Unknown and kept as written: svc:colour");
    expect(content.settings).toMatchObject({ feedbackMail: ["someone@example.org"], requestMail: ["ask@example.org"] });
    expect(answer.text).not.toContain("example.org/someone");
    expect(answer.text).not.toContain("someone@example.org");
  });

  test("R14 a minimal standard package works: a title is enough", async () => {
    const sword = {
      "@context": "https://swordapp.github.io/swordv3/swordv3.jsonld",
      "@type": "Metadata",
      "dc:title": freshTitle(),
    };
    const bag = bagPieces({ crate: null, swordJson: JSON.stringify(sword) });
    const answer = await world.deposit(
      "registered",
      plainPackage(bag, "http://purl.org/net/sword/3.0/package/SWORDBagIt"),
    );
    expect(answer.status).toBe(201);
    const { content } = await world.item(recidOf(answer));
    expect([content?.metadata.type?.id, content?.access.openDate]).toEqual(["other", "2026-11-20"]);
    const graph = {
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [
        { "@id": "ro-crate-metadata.json", "@type": "CreativeWork", about: { "@id": "./" } },
        { "@id": "./", "@type": "Dataset", name: freshTitle() },
      ],
    };
    await taken(plainPackage(bagPieces({ crate: JSON.stringify(graph) })));
  });

  test("R14 what a table contains in addition to the metadata is kept: where, who, when, mails", async () => {
    const place = { ".metadata.path[0]": String(INDEXES.hidden), ".metadata.pubdate": "2027-02-03" };
    const more = { ".publish_status": "private", ".feedback_mail[0]": "someone@example.org" };
    const { content } = await taken(tablePackage({ ...place, ...more }));
    const expected = [[INDEXES.hidden], "restricted", "2027-02-03"];
    expect([content.indexes, content.access.record, content.access.openDate]).toEqual(expected);
    expect(content.settings.feedbackMail).toEqual(["someone@example.org"]);
  });
});

describe("R18 the duplicate check", () => {
  async function checking() {
    return await world.token("registered", undefined, { duplicateCheck: true });
  }
  const suspected = (answer: Answer): string => {
    expect([answer.status, answer.json["@type"]]).toEqual([400, "BadRequest"]);
    return String(answer.json.error);
  };

  test("message 13 R18 any one equal identifier is enough; private items count, deleted ones do not", async () => {
    const identifier = ["https://doi.org/10.5555/r18", "https://example.org/r18"];
    const { id } = await taken(cratePackage({ identifier, "svc:publishStatus": "private" }));
    const who = await checking();
    const again = () => cratePackage({ identifier: ["10.5555/R18"] });
    expect(suspected(await world.deposit(who, again()))).toBe(`New item appears to be a duplicate: ${id}`);
    await world.remove("registered", id);
    expect((await world.deposit(who, again())).status).toBe(201);
  });

  test("message 13 R18 without identifiers title, type and all creators must agree, however they are written", async () => {
    const name = `The Sea, at ＮＡＨＡ ${freshTitle()}`;
    const { id } = await taken(cratePackage({ name }));
    const who = await checking();
    const same = cratePackage({ name: name.toLowerCase().replace("ｎａｈａ", "naha").replace(",", " :") });
    expect(suspected(await world.deposit(who, same))).toBe(`New item appears to be a duplicate: ${id}`);
    const another = [{ "@id": "#other", "@type": "Person", name: "Somebody, Else" }];
    const creators = cratePackage({ name, creator: [{ "@id": "#someone" }, { "@id": "#other" }] }, undefined, another);
    expect((await world.deposit(who, creators)).status).toBe(201);
    expect((await world.deposit(who, cratePackage({ name, additionalType: "software" }))).status).toBe(201);
  });

  test("R18 a replacement leaves the item itself out, and finds others", async () => {
    const [one, two] = ["https://doi.org/10.5555/one", "https://doi.org/10.5555/two"];
    const who = await checking();
    const first = recidOf(await world.deposit(who, cratePackage({ identifier: one })));
    const second = recidOf(await world.deposit(who, cratePackage({ identifier: two })));
    expect((await world.replace(who, first, cratePackage({ identifier: one }))).status).toBe(200);
    expect(suspected(await world.replace(who, first, cratePackage({ identifier: two })))).toBe(
      `New item appears to be a duplicate: ${second}`,
    );
    const upgrade = cratePackage({ identifier: one, "svc:editMode": "Upgrade" });
    expect((await world.replace(who, first, upgrade)).status).toBe(200);
  });

  test("R18 what waits for approval is a duplicate too; of two at once one is registered", async () => {
    const workflow = await world.workflow();
    const slow = await world.token("registered", undefined, { registrationType: 2, workflow });
    const identifier = "https://doi.org/10.5555/pending";
    const pending = recidOf(await world.deposit(slow, cratePackage({ identifier })));
    const who = await checking();
    expect(suspected(await world.deposit(who, cratePackage({ identifier })))).toBe(
      `New item appears to be a duplicate: ${pending}`,
    );
    const twin = () => cratePackage({ identifier: "https://doi.org/10.5555/twin" });
    const answers = await Promise.all([1, 2, 3].map(() => world.deposit(who, twin())));
    expect(answers.filter(({ status }) => status === 201).length).toBe(1);
  });
});

describe("payload", () => {
  test("R13 every byte comes back, in folders and out, empty and large", async () => {
    const large = new Uint8Array(300_000).map((_, at) => (at * 7919) % 251);
    const payload = [
      { path: "empty.bin", bytes: "" },
      { path: "deep/er/large.bin", bytes: large, piece: { deflate: true } },
      { path: "図表.txt", bytes: "図" },
    ];
    for (const build of [
      () => cratePackage({}, payload),
      () => swordPackage({}, payload),
      () =>
        plainPackage([
          { name: "items.tsv", bytes: tableOf(tableColumns(freshTitle(), "図表.txt")) },
          ...payload.map(({ path, ...rest }) => ({ name: `data/${path}`, ...rest })),
        ]),
    ]) {
      const { id } = await taken(build());
      const files = await world.filesOf(id);
      expect([...files.keys()].sort()).toEqual(["deep%2Fer%2Flarge.bin", "empty.bin", "図表.txt"]);
      expect(hashOf(files.get("deep%2Fer%2Flarge.bin") ?? "")).toBe(hashOf(large));
      expect(files.get("empty.bin")).toEqual(new Uint8Array(0));
    }
  });
});
