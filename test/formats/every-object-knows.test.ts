// Words that every JavaScript object answers to (`toString`, `constructor`), where the tables of formats are asked by
// words from outside (R13, R19a): they are in no table.
import { describe, expect, test } from "bun:test";
import { identAddress, workKind } from "../../src/formats/citation/cited-item.ts";
import { schemaOrg, schemaOrgType } from "../../src/formats/citation/schema-org.ts";
import { citationTags, linkHeader, signpostingLinks } from "../../src/formats/citation/signposting.ts";
import { citationText } from "../../src/formats/citation/write.ts";
import { readCrossref } from "../../src/formats/completion/crossref.ts";
import { readDatacite } from "../../src/formats/completion/datacite.ts";
import { readJpcoar } from "../../src/formats/jpcoar/read.ts";
import { licenseAddress } from "../../src/model/metadata/licenses.ts";
import { stemLanguageOf } from "../../src/repository/search/words/stems.ts";
import { htmlToText } from "../../src/shared/html/html-text.ts";
import { own } from "../../src/shared/objects.ts";
import { cited } from "../support/cited-items.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { jpcoarOf } from "../support/package-builder.ts";
import { recidOf } from "../support/world/repository.ts";
import { openWorld } from "../support/world.ts";

const WORDS = ["toString", "valueOf", "constructor", "hasOwnProperty", "__proto__", "toLocaleString"] as const;

for (const word of WORDS) {
  describe(`the word ${word}`, () => {
    test("is in no table", () => {
      expect(own({ a: 1 }, word)).toBeUndefined();
      expect(own({ a: 1 }, "a")).toBe(1);
    });

    test("R19a as type, licence and scheme of an item is cited and linked as an unknown one", () => {
      const item = cited({
        type: { id: word, label: word },
        rights: [{ id: word, text: [] }],
        identifiers: [{ scheme: word, value: "1" }],
      });
      const plain = cited({
        type: { id: "unknown", label: "unknown" },
        rights: [{ id: "unknown", text: [] }],
        identifiers: [{ scheme: "unknown", value: "1" }],
      });
      expect(licenseAddress(word)).toBeNull();
      expect(identAddress({ scheme: word, value: "1" })).toBeNull();
      expect(workKind(item.metadata)).toBe("other");
      expect(schemaOrgType(item.metadata)).toBe("CreativeWork");
      expect(citationText(item)).toBe(citationText(plain));
      expect(JSON.stringify(schemaOrg(item)).replaceAll(word, "unknown")).toBe(JSON.stringify(schemaOrg(plain)));
      expect(linkHeader(signpostingLinks(item, []))).toBe(linkHeader(signpostingLinks(plain, [])));
      expect(citationTags(item)).toEqual(citationTags(plain));
    });

    test("R13 as an attribute of JPCOAR XML is reported as one that is unknown, or refused", () => {
      const xml = jpcoarOf().replace("<dc:title ", `<dc:title ${word}="x" `);
      expect(xml).toContain(`${word}="x"`);
      if (word === "__proto__") {
        expect(() => readJpcoar(xml)).toThrow('the attribute name "__proto__" is not read');
        return;
      }
      expect(readJpcoar(xml).item.notes.join("\n")).toContain(`@${word}`);
    });

    test("R14 as a type in answers of Crossref and DataCite is not a type", () => {
      expect(readCrossref({ message: { type: word, title: ["T"] } }).type).toBeUndefined();
      const attributes = {
        types: { resourceTypeGeneral: word },
        titles: [{ title: "T", titleType: word }],
        relatedIdentifiers: [{ relationType: word, relatedIdentifier: "10.1/x", relatedIdentifierType: "DOI" }],
      };
      const metadata = readDatacite({ data: { attributes } });
      expect([metadata.type, metadata.titles, metadata.relations ?? []]).toEqual([
        undefined,
        [{ value: "T", kind: "main" }],
        [],
      ]);
    });

    test("as an entity of HTML stays as it is written", () => {
      expect(htmlToText(`<p>a &${word}; b</p>`)).toBe(`a &${word}; b`);
    });

    test("R27e as a language has no stemmer", () => {
      expect(stemLanguageOf(word)).toBe("none");
    });
  });
}

test("message 11 such a word as the publication status of a table is refused like any unknown one", async () => {
  const world = await openWorld({ repository: true });
  for (const word of WORDS) {
    const answer = await world.deposit("registered", tablePackage({ ".publish_status": word }));
    expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(`"${word}"`)]);
  }
});

test("R19a a page of an item whose crate speaks such words is shown", async () => {
  const world = await openWorld({ repository: true });
  for (const word of WORDS) {
    const root = { license: word, identifier: word, inLanguage: word, additionalType: word, [`${word}:x`]: "1" };
    const answer = await world.deposit("registered", cratePackage(root));
    expect([word, answer.status]).toEqual([word, 201]);
    const page = await world.ask(null, "GET", `/records/${recidOf(answer)}`);
    expect([word, page.status]).toEqual([word, 200]);
  }
});
