// What is deposited by SWORD, in every shape, is available in the formats of libraries and data portals, valid by their
// public schemas (R38).
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataciteJudge } from "../support/datacite-schema.ts";
import {
  cratePackage,
  freshTitle,
  type Package,
  plainPackage,
  swordPackage,
  tablePackage,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { hasMarcLint, hasXmllint, lintMarc, xsdErrors } from "../support/export-judges.ts";
import { hasJpcoarData, jpcoarSamples } from "../support/jpcoar-schema.ts";
import { bagPieces } from "../support/package-builder.ts";
import { dcatJudge } from "../support/rdf-judge.ts";
import { recidOf } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const VECTORS = join(import.meta.dirname, "..", "vectors", "linked-data");
function crateVector(name: string, ...paths: readonly string[]): Package {
  const crate = readFileSync(join(VECTORS, name), "utf8").replace(/"(?:1000|1001|2000)"/g, '"1"');
  return plainPackage(bagPieces({ payload: paths.map((path) => ({ path, bytes: `bytes of ${path}` })), crate }));
}

const hostile = { name: `<b>&amp;</b> ]]> -- \u202E`, description: "<p>a</p>--<script>x</script>" };
const samples = hasJpcoarData ? jpcoarSamples() : [];
const SHAPES: readonly (readonly [string, () => Package])[] = [
  ["a crate", () => cratePackage()],
  ["a crate of standard terms", () => crateVector("standard-crate.json", "data set/lake.csv", "plots/a.png")],
  ["a crate with all of JPCOAR", () => crateVector("jpcoar-crate.json", "files/photo.jpg")],
  ["SWORD metadata", () => swordPackage()],
  ["a table", () => tablePackage()],
  ["JPCOAR", () => xmlPackage()],
  ...samples.map(({ name, xml }) => [`the JPCOAR sample ${name}`, () => xmlPackage(xml)] as const),
  ["a crate that is hostile", () => cratePackage({ ...hostile, name: `${freshTitle()} ${hostile.name}` })],
];

const FORMATS = ["datacite-xml", "datacite-json", "dublincore", "marcxml", "dcat"] as const;
const written: Record<(typeof FORMATS)[number], string[]> = {
  ...{ "datacite-xml": [], "datacite-json": [], dublincore: [], marcxml: [], dcat: [] },
};
/** Whose deposits go through a workflow that asks nobody: the only way in for JPCOAR. */
let byWorkflow: { readonly token: string };
const world = setUpWorld({ repository: true });
beforeAll(async () => {
  const workflow = await world.workflow({ actions: ["start", "item_registration", "end"] });
  byWorkflow = await world.token("registered", undefined, { registrationType: 2, workflow });
});

test("S3.6.193 R38 what was deposited in each shape is available in each format, and names its ARK", async () => {
  for (const [shape, pkg] of SHAPES) {
    const answer = await world.deposit(shape.includes("JPCOAR") ? byWorkflow : "registered", pkg());
    expect([shape, answer.status, answer.text]).toEqual([shape, 201, expect.any(String)]);
    const id = recidOf(answer);
    const { ark } = await world.item(id);
    for (const format of FORMATS) {
      const exported = await world.ask("registered", "GET", `/records/${id}/export/${format}`);
      expect([shape, format, exported.status]).toEqual([shape, format, 200]);
      expect(exported.text).toContain(`ark:${ark}`);
      expect(exported.text).toContain(`https://ark.example.org/ark:${ark}`);
      written[format].push(exported.text);
    }
  }
});

test.skipIf(!hasXmllint)("S3.6.193 R38 DataCite XML, Dublin Core and MARCXML of every shape are valid", () => {
  expect(xsdErrors("datacite-4.6.xsd", written["datacite-xml"])).toBe("");
  expect(xsdErrors("oai-dc.xsd", written.dublincore)).toBe("");
  expect(xsdErrors("marc21-slim.xsd", written.marcxml)).toBe("");
});

test.skipIf(!hasMarcLint)("S3.6.193 R38 MARC::Lint finds nothing in MARCXML of any shape", () => {
  expect(lintMarc(written.marcxml)).toEqual({ read: SHAPES.length, warnings: [] });
});

test("S3.6.193 R38 DataCite JSON and DCAT of every shape are valid", async () => {
  const [datacite, dcat] = [dataciteJudge(), dcatJudge()];
  for (const document of written["datacite-json"]) expect(datacite(document)).toEqual([]);
  for (const document of written.dcat) expect(await dcat(document)).toEqual([]);
});
