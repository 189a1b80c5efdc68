// Documents that are broken or mean harm: refused with what is wrong, or read; never a crash, a hang, a copy per link
// or a request (R13).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_EXTRA } from "../../../src/formats/ro-crate/unread-terms.ts";
import { DocumentError } from "../../../src/shared/document-error.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import { MAX_JSON_BYTES, MAX_JSON_VALUES, readJsonObject } from "../../../src/shared/json/read.ts";
import { bytesOf, crate, onlyItem, readCrate, readSword } from "./crates.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readJsonObject(bytes(text), "x.json");

describe("R13 Bounded reading of JSON", () => {
  test.each([
    ["nothing", "", "it is not JSON"],
    ["half a document", '{"a":', "it is not JSON"],
    ["an array", "[1]", "it holds an array, an object is needed"],
    ["null", "null", "it holds null, an object is needed"],
    ["a text", '"x"', "it holds a string, an object is needed"],
    ["100,000 levels", '{"a":'.repeat(100_000), "it nests more than 200 arrays and objects (MAX_JSON_DEPTH)"],
    ["100,000 levels of arrays", "[".repeat(100_000), "it nests more than 200 arrays and objects (MAX_JSON_DEPTH)"],
    ["a number no double holds", '{"a":1e999}', "it holds a number that is too large"],
    ["half a surrogate pair", '{"a":"\\ud800"}', "holds NUL or half a surrogate pair"],
    ["NUL in a key", '{"a\\u0000b":1}', "holds NUL or half a surrogate pair"],
  ])("R13 refuses %s", (_what, text, message) => {
    expect(() => read(text)).toThrow(DocumentError);
    expect(() => read(text)).toThrow(message);
  });

  test("R13 refuses what is not UTF-8, and UTF-16, and takes a byte order mark of UTF-8", () => {
    const refused = (...values: number[]) => expect(() => readJsonObject(new Uint8Array(values), "x.json"));
    refused(0x7b, 0x22, 0xff, 0x22, 0x7d).toThrow("Cannot read x.json: it is not UTF-8");
    refused(0xff, 0xfe, 0x7b, 0, 0x7d, 0).toThrow("Cannot read x.json: it is written in UTF-16, UTF-8 is needed");
    expect(read('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  test("R13 refuses more bytes than MAX_JSON_BYTES and more values than MAX_JSON_VALUES before parsing", () => {
    const large = new Uint8Array(MAX_JSON_BYTES + 1).fill(0x20);
    expect(() => readJsonObject(large, "x.json")).toThrow("it has 16777217 bytes, 16777216 are read at most");
    expect(() => read(`{"a":[${"0,".repeat(MAX_JSON_VALUES)}0]}`)).toThrow("it holds more than 2000000 values");
  });

  test("R13 keys that JavaScript knows are keys like any other, and of equal keys the last counts", () => {
    const value = read('{"__proto__":{"polluted":1},"constructor":2,"a":1,"a":3}');
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "a"]);
    expect(value.a).toBe(3);
    expect(({} as { readonly polluted?: number }).polluted).toBe(undefined);
  });
});

describe("R13 Graphs that lead nowhere, round and round, or very far", () => {
  test.each([
    ["no @graph", { name: "x" }, "it has no @graph"],
    ["an @graph that is not an array", { "@graph": {} }, "@graph is not an array"],
    ["an entity that is a number", { "@graph": [7] }, "@graph[0] is not an object"],
    ["an @id that is a number", { "@graph": [{ "@id": 7 }] }, "the @id of @graph[0] is not text"],
    ["no root", { "@graph": [{ "@id": "ro-crate-metadata.json", about: { "@id": "./" } }] }, "it has no root entity"],
    [
      "two entities of one @id",
      { "@graph": [{ "@id": "./" }, { "@id": "./" }] },
      'two entities of @graph have the @id "./"',
    ],
    ["no entities", { "@graph": [] }, "it has no root entity"],
    [
      "a root that is the descriptor",
      { "@graph": [{ "@id": "ro-crate-metadata.json", about: { "@id": "ro-crate-metadata.json" }, a: 1 }] },
      "no root",
    ],
  ] as const)("R13 refuses %s", (_what, document, message) => {
    expect(() => readCrate(document)).toThrow(DocumentError);
    expect(() => readCrate(document)).toThrow(message);
  });

  test.each(["../secret", "/etc/passwd", "file:///etc/passwd", "missing.txt", "#file", "a%2F..%2Fb", "%"])(
    "R13 refuses the file %s, which the package does not hold",
    (id) => {
      const document = crate({ name: "x", hasPart: { "@id": id } }, { "@id": id, "@type": "File" });
      expect(() => readCrate(document, ["a.txt"])).toThrow(
        `Cannot take the file ${JSON.stringify(id)}: the package does not contain it`,
      );
    },
  );

  test("R13 a file that no hasPart leads to must be in the package as well", () => {
    const document = crate({ name: "x" }, { "@id": "a.txt", "@type": "File" });
    expect(onlyItem(readCrate(document, ["a.txt"])).files).toEqual([{ path: "a.txt" }]);
    expect(() => readCrate(document)).toThrow("the package does not contain it");
  });

  test.each(["file:///home/ada/run.py", "FILE:///C:/data/run.py", "file:/home/ada/run.py", "file://host/share/run.py"])(
    "R13c a file at %s is refused where the crate lists it as a part, and reported otherwise",
    (id) => {
      const named = { "@id": id, "@type": "File", name: "run.py" };
      const entity = { "@id": "#run", "@type": "CreateAction", instrument: { "@id": id } };
      const refused = `Cannot take the file ${JSON.stringify(id)}: the package does not contain it`;
      const item = onlyItem(readCrate(crate({ name: "x", mentions: { "@id": "#run" } }, entity, named), ["a.txt"]));
      expect([item.files, item.metadata.relations]).toEqual([[], []]);
      expect(JSON.stringify(item.metadata.extra)).toContain(id);
      expect(onlyItem(readCrate(crate({ name: "x" }, named))).files).toEqual([]);
      expect(() => readCrate(crate({ name: "x", hasPart: { "@id": id } }, named))).toThrow(refused);
      const folder = { "@id": "data/", "@type": "Dataset", hasPart: [{ "@id": id }] };
      expect(() => readCrate(crate({ name: "x", hasPart: { "@id": "data/" } }, folder, named))).toThrow(refused);
      expect(() => readCrate(crate({ name: "x" }, { ...named, isPartOf: { "@id": "./" } }))).toThrow(refused);
    },
  );

  test("R13 circles end, and a chain of 20,000 folders is walked to its file", () => {
    const folders: Json[] = Array.from({ length: 20_000 }, (_, index) => ({
      "@id": `#f${index}`,
      "@type": "Dataset",
      name: `Folder ${index}`,
      hasPart: [{ "@id": index === 19_999 ? "a.txt" : `#f${index + 1}` }, { "@id": "./" }, { "@id": `#f${index}` }],
      author: { "@id": "#f0" },
    }));
    const root = { name: "x", author: { "@id": "./" }, hasPart: { "@id": "#f0" } };
    const item = onlyItem(readCrate(crate(root, ...folders, { "@id": "a.txt", "@type": "File" }), ["a.txt"]));
    expect(item.files).toEqual([{ path: "a.txt" }]);
    expect(item.metadata.extra.length).toBe(MAX_EXTRA);
    expect(item.notes.at(-1)).toBe(`Left out: ${20_000 - MAX_EXTRA} further terms without a place in the metadata`);
  });

  test("R13 entities that name each other do not grow when they are read", () => {
    const people: Json[] = Array.from({ length: 60 }, (_, index) => ({
      "@id": `#p${index}`,
      "@type": "Person",
      name: `P${index}`,
      affiliation: [{ "@id": `#p${index + 1}` }, { "@id": `#p${index + 2}` }],
      knows: [{ "@id": `#p${index + 1}` }, { "@id": `#p${index}` }],
    }));
    const item = onlyItem(readCrate(crate({ name: "x", author: { "@id": "#p0" } }, ...people)));
    expect(item.metadata.creators[0]?.affiliations.map((each) => each.names[0]?.value)).toEqual(["P1", "P2"]);
  });

  test("R13 a grant that would grow without end is refused", () => {
    const level = (name: string, below: string) => ({
      "@id": name,
      ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, { "@id": below }])),
    });
    const document = crate(
      { name: "x", "svc:grant": { "@id": "#1" } },
      level("#1", "#2"),
      level("#2", "#3"),
      level("#3", "#4"),
      { "@id": "#4", a: 1 },
    );
    expect(() => readCrate(document)).toThrow("Cannot follow svc:grant: it expands to more than 10000 objects");
  });

  test("R13 nothing is fetched: contexts and files on the web stay what they are", () => {
    const document = {
      "@context": ["https://context.invalid/evil.jsonld", { "@import": "https://context.invalid/other" }],
      "@graph": [
        { "@id": "./", name: "x", hasPart: "https://files.invalid/a", author: { "@id": "https://people.invalid/a" } },
      ],
    };
    const item = onlyItem(readCrate(document));
    expect(item.metadata.creators[0]?.names[0]?.full ?? item.metadata.creators[0]?.ids[0]?.value).toBe(
      "https://people.invalid/a",
    );
    expect(item.notes).toContain("The @context is not that of RO-Crate 1.1: its terms were read as if it were");
  });

  test("R13 markup in a title is text", () => {
    const title = "<script>alert(1)</script>";
    expect(onlyItem(readCrate(crate({ name: title }))).metadata.titles[0]?.value).toBe(title);
  });

  test("R13 any JSON at all is read or refused with a DocumentError, as crate and as SWORD metadata", () => {
    const keys = fc.constantFrom(
      ...[
        "@id",
        "@type",
        "@value",
        "@language",
        "name",
        "author",
        "hasPart",
        "identifier",
        "svc:index",
        "svc:isSplited",
      ],
      ...[
        "svc:itemLinks",
        "svc:creators",
        "svc:absent",
        "geo",
        "license",
        "funding",
        "keywords",
        "__proto__",
        "affiliation",
      ],
    );
    const leaves = fc.oneof(
      fc.constantFrom<Json>("./", "#a", "#b", "Dataset", "File", "a.txt", true, null, 7, "@json", "Person", "true"),
      fc.constantFrom<Json>({ "@id": "#a" }, { "@id": "#b" }, { "@id": "./" }),
    );
    const { value } = fc.letrec<{ readonly value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaves,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
      ),
    }));
    const entities = fc.tuple(fc.dictionary(keys, value), fc.dictionary(keys, value), fc.dictionary(keys, value));
    fc.assert(
      fc.property(entities, ([root, first, second]) => {
        const document = bytesOf(crate(root, { ...first, "@id": "#a" }, { ...second, "@id": "#b" }));
        for (const reading of [() => readCrate(document, ["a.txt"]), () => readSword(bytesOf(root))]) {
          try {
            expect(reading().length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(DocumentError);
          }
        }
      }),
      { numRuns: 300 },
    );
  }, 60_000);
});
