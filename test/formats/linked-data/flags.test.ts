// The flags of JSON-LD packages, splitting, and naming an existing item (R13a, R14).
import { describe, expect, test } from "bun:test";
import type { Json } from "../../../src/shared/json/json.ts";
import { crate, onlyItem, readCrate, readSword, TODAY } from "./crates.ts";

describe("R14 Flags", () => {
  const flags: { readonly [key: string]: Json } = {
    saveAsIs: true,
    metadataAutoFill: "true",
    metadataReplace: false,
    index: [1623632832836, "12"],
    publishStatus: "private",
    editMode: "Upgrade",
    itemLinks: [{ "@id": "#link" }],
    feedbackMail: ["a@example.org", "b@example.org"],
    requestMail: "c@example.org",
    grant: { "@id": "#grant" },
  };
  const entities = [
    { "@id": "#link", "@type": "PropertyValue", identifier: "12", value: "isSupplementTo" },
    { "@id": "#grant", "jpcoar:identifier": { "@id": "#doi" }, "jpcoar:identifierRegistration": "JaLC" },
    { "@id": "#doi", value: "10.5555/g" },
  ];
  const expected = {
    saveAsIs: true,
    metadataAutoFill: true,
    metadataReplace: false,
    index: ["1623632832836", "12"],
    publishStatus: "private",
    editMode: "Upgrade",
    itemLinks: [{ identifier: "12", value: "isSupplementTo" }],
    openDate: TODAY,
  };

  test.each(["svc", "wk"])("R14 are read with the prefix %s:, and never become metadata", (prefix) => {
    const prefixed = Object.fromEntries(Object.entries(flags).map(([key, value]) => [`${prefix}:${key}`, value]));
    const item = onlyItem(readCrate(crate({ name: "F", ...prefixed }, ...entities)));
    expect(item.instructions).toEqual(expected);
    expect(item.settings).toEqual({
      feedbackMail: ["a@example.org", "b@example.org"],
      requestMail: ["c@example.org"],
      grant: [
        {
          "@id": "#grant",
          "jpcoar:identifier": { "@id": "#doi", value: "10.5555/g" },
          "jpcoar:identifierRegistration": "JaLC",
        },
      ],
    });
    expect(item.metadata.extra).toEqual([]);
    expect(item.notes).toEqual([]);
  });

  test("R14 are in SWORD's metadata document as well", () => {
    const item = onlyItem(readSword({ "dc:title": "x", "svc:saveAsIs": "True", "wk:index": 5 }));
    expect(item.instructions).toEqual({ saveAsIs: true, index: ["5"], openDate: TODAY });
  });

  test("R14 svc:textExtraction is reported per file", () => {
    const file = { "@id": "a.pdf", "@type": "File", "wk:textExtraction": false };
    const item = onlyItem(readCrate(crate({ name: "x", hasPart: { "@id": "a.pdf" } }, file), ["a.pdf"]));
    expect(item.settings).toEqual({ textExtraction: { "a.pdf": false } });
  });

  test.each([
    ["svc:isSplited", "yes", 'Cannot follow svc:isSplited: "yes" is neither true nor false'],
    ["svc:saveAsIs", [true, false], "Cannot follow svc:saveAsIs: true is neither true nor false"],
    ["svc:index", { a: 1 }, 'Cannot follow svc:index: {"a":1} is not text'],
    ["svc:itemLinks", "12", 'Cannot follow svc:itemLinks: "12" has no identifier and value'],
  ] as const)("R14 %s with the value %j is refused, naming both", (flag, value, message) => {
    expect(() => readCrate(crate({ name: "x", [flag]: value }))).toThrow(message);
  });

  test("R14 an unknown svc: key goes to extra with a note", () => {
    const item = onlyItem(readCrate(crate({ name: "x", "wk:colour": "red" })));
    expect(item.metadata.extra).toEqual([{ format: "ro-crate", path: "svc:colour", value: "red" }]);
    expect(item.notes).toEqual(["Unknown and kept as written: svc:colour"]);
  });

  test("R13a identifier and uri name an existing item; other identifiers are metadata", () => {
    const item = onlyItem(
      readCrate(crate({ name: "x", identifier: [12, "10.5555/a"], uri: "https://repo.example/records/12" })),
    );
    expect(item.existing).toEqual({ id: "12", uri: "https://repo.example/records/12" });
    expect(item.metadata.identifiers).toEqual([{ scheme: "DOI", value: "10.5555/a" }]);
  });
});

describe("R14 Splitting", () => {
  const paper = { "@id": "_:paper", "@type": "Dataset", name: "Paper", hasPart: { "@id": "p.pdf" } };
  const evidence = { "@id": "_:data", "@type": "Dataset", name: "Evidence", hasPart: [{ "@id": "d.csv" }] };
  const files = [
    { "@id": "p.pdf", "@type": "File" },
    { "@id": "d.csv", "@type": "File" },
  ];
  const split = (first: Json, second: Json, more: { readonly [key: string]: Json } = {}) =>
    readCrate(
      crate(
        { "wk:isSplited": true, hasPart: [{ "@id": "_:paper" }, { "@id": "_:data" }], ...more },
        first,
        second,
        ...files,
      ),
      ["p.pdf", "d.csv"],
    );

  test("R14 makes two items, evidence first, each with its files, linked to each other", () => {
    const link = { "wk:itemLinks": [{ value: "isSupplementedBy", identifier: "_:data" }] };
    const [first, second, ...more] = split({ ...paper, ...link }, evidence);
    expect(more).toEqual([]);
    expect([first?.metadata.titles[0]?.value, first?.files, first?.instructions.itemLinks]).toEqual([
      "Evidence",
      [{ path: "d.csv" }],
      [{ identifier: "_:paper", value: "isSupplementTo" }],
    ]);
    expect([second?.metadata.titles[0]?.value, second?.files, second?.instructions.itemLinks]).toEqual([
      "Paper",
      [{ path: "p.pdf" }],
      [{ identifier: "_:data", value: "isSupplementedBy" }],
    ]);
    expect(first?.instructions.split).toBe(true);
  });

  test("R14 the link may be on the evidence, and the paper is then found by it", () => {
    const link = { "svc:itemLinks": { value: "isSupplementTo", identifier: { "@id": "_:paper" } } };
    const items = split(paper, { ...evidence, ...link });
    expect(items.map((item) => item.localId)).toEqual(["_:data", "_:paper"]);
  });

  test("R14 without links the first part is the paper", () => {
    expect(split(paper, evidence).map((item) => item.localId)).toEqual(["_:data", "_:paper"]);
  });

  test("R14 flags of the root hold for both parts, flags of a part for itself, and saveAsIs is not followed", () => {
    const items = split({ ...paper, "svc:publishStatus": "private" }, evidence, {
      "svc:index": "7",
      "svc:saveAsIs": true,
    });
    expect(items.map((item) => [item.instructions.index, item.instructions.publishStatus])).toEqual([
      [["7"], undefined],
      [["7"], "private"],
    ]);
    expect(items.map((item) => item.instructions.saveAsIs)).toEqual([undefined, undefined]);
    expect(items[0]?.notes).toContain("svc:saveAsIs is not followed for a split package");
  });

  test("R14 the parts need no type, as existing clients write them", () => {
    const { "@type": _paper, ...untypedPaper } = paper;
    const { "@type": _data, ...untypedEvidence } = evidence;
    expect(split(untypedPaper, untypedEvidence).map((item) => [item.localId, item.files.length])).toEqual([
      ["_:data", 1],
      ["_:paper", 1],
    ]);
  });

  test("R14 a file that is in neither part belongs to the paper, and further properties of the root are kept with it", () => {
    const document = crate(
      {
        "wk:isSplited": true,
        name: "Whole",
        hasPart: [{ "@id": "_:paper" }, { "@id": "_:data" }, { "@id": "readme.txt" }],
      },
      paper,
      evidence,
      ...files,
      { "@id": "readme.txt", "@type": "File" },
    );
    const [first, second] = readCrate(document, ["p.pdf", "d.csv", "readme.txt"]);
    expect(first?.files).toEqual([{ path: "d.csv" }]);
    expect(second?.files).toEqual([{ path: "p.pdf" }, { path: "readme.txt" }]);
    expect(second?.metadata.extra).toEqual([{ format: "ro-crate", path: "./ name", value: "Whole" }]);
  });

  test("step 9 splitting serves one item in two parts: another number of parts is refused", () => {
    const message = "hasPart of the root names 1 items, 2 are needed";
    expect(() =>
      readCrate(crate({ "svc:isSplited": "true", hasPart: { "@id": "_:paper" } }, { ...paper, hasPart: [] })),
    ).toThrow(message);
  });

  test("R14 without the flag, folders of the root are folders of one item", () => {
    const item = onlyItem(split(paper, evidence, { name: "One", "wk:isSplited": false }));
    expect(item.files).toEqual([{ path: "p.pdf" }, { path: "d.csv" }]);
  });
});
