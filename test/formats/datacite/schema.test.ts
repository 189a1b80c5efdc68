// DataCite 4.6 as JSON and XML (R38): whatever a record holds, both are valid by their public schemas, and agree.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import * as lists from "../../../src/formats/datacite/lists.ts";
import { writeDataciteJson, writeDataciteXml } from "../../../src/formats/datacite/write.ts";
import type { XmlElement } from "../../../src/shared/xml/element.ts";
import { parseXml } from "../../../src/shared/xml/parse.ts";
import { dataciteJudge, listOf } from "../../support/datacite-schema.ts";
import { readDataciteXml } from "../../support/datacite-xml.ts";
import { exportVector, hasXmllint, xsdErrors } from "../../support/export-judges.ts";
import { sampleRecords } from "../../support/exported-records.ts";
import { childElements } from "../../support/xml-elements.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 500;
const records = sampleRecords(COUNT);
/** Records that are read element by element. */
const PLAIN_COUNT = 200;

const allBelow = (element: XmlElement): readonly XmlElement[] =>
  childElements(element).flatMap((child) => [child, ...allBelow(child)]);

describe("DataCite 4.6", () => {
  test("R38 the lists of the writer are those of the schema", () => {
    const ours = {
      ...{ resourceType: lists.RESOURCE_TYPES, contributorType: lists.CONTRIBUTOR_TYPES, dateType: lists.DATE_TYPES },
      ...{ descriptionType: lists.DESCRIPTION_TYPES, titleType: lists.TITLE_TYPES, relationType: lists.RELATION_TYPES },
      ...{ funderIdentifierType: lists.FUNDER_TYPES, relatedIdentifierType: lists.IDENTIFIER_TYPES },
    };
    for (const [name, list] of Object.entries(ours)) {
      expect<unknown>([name, [...list].toSorted()]).toEqual([name, [...listOf(name)].toSorted()]);
    }
  });

  test.skipIf(!hasXmllint)(`S3.6.180 ${COUNT} records of all kinds are valid as XML by the XSD`, () => {
    expect(
      xsdErrors(
        "datacite-4.6.xsd",
        records.map((record) => writeDataciteXml(record).text),
      ),
    ).toBe("");
  });

  test("S3.6.180 the XML has only elements and attributes of the XSD, and its content is valid by the JSON Schema", () => {
    const schema = readFileSync(exportVector("datacite-4.6.xsd"), "utf8");
    const declared = (kind: string) =>
      new Set(
        [...schema.matchAll(new RegExp(`<xs:${kind} (?:name|ref)="(?:xml:)?(\\w+)"`, "g"))].map(([, name]) => name),
      );
    const [elements, attributes] = [declared("element"), declared("attribute")];
    const judge = dataciteJudge();
    for (const record of records.slice(0, PLAIN_COUNT)) {
      const { text } = writeDataciteXml(record);
      const root = parseXml(text);
      expect([root.name, root.namespace]).toEqual(["resource", "http://datacite.org/schema/kernel-4"]);
      const required = ["identifier", "creators", "titles", "publisher", "publicationYear", "resourceType"];
      const children = childElements(root).map(({ name }) => name);
      expect(required.filter((name) => !children.includes(name))).toEqual([]);
      expect(children.length).toBe(new Set(children).size);
      for (const element of [root, ...allBelow(root)]) {
        expect([element.name, elements.has(element.name)]).toEqual([element.name, true]);
        for (const { name } of element.attributes.filter((each) => each.name !== "schemaLocation")) {
          expect([element.name, name, attributes.has(name)]).toEqual([element.name, name, true]);
        }
      }
      expect(judge(JSON.stringify(readDataciteXml(text)))).toEqual([]);
    }
  });

  test(`S3.6.181 ${COUNT} records of all kinds are valid as JSON by the JSON Schema`, () => {
    const judge = dataciteJudge();
    for (const record of records) expect(judge(writeDataciteJson(record).text)).toEqual([]);
  });

  test("S3.6.182 JSON and XML agree about a record", () => {
    for (const record of records.slice(0, 500)) {
      const json = JSON.parse(writeDataciteJson(record).text);
      expect(readDataciteXml(writeDataciteXml(record).text)).toEqual(json);
    }
  });

  test("R38 the same record makes the same bytes, and reports the same omissions", () => {
    for (const record of records.slice(0, 100)) {
      const again = structuredClone(record);
      expect(writeDataciteXml(again)).toEqual(writeDataciteXml(record));
      expect(writeDataciteJson(again)).toEqual(writeDataciteJson(record));
      expect(writeDataciteXml(record).leftOut).toEqual(writeDataciteJson(record).leftOut);
    }
  });
});
