// GeoJSON (R38): whatever a record holds, it is valid by the schema of RFC 7946, in range, and its rings are turned by
// the right-hand rule.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import process from "node:process";
import { Ajv } from "ajv";
import { writeGeoJson } from "../../../src/formats/geojson/write.ts";
import { EMPTY_METADATA, type Location } from "../../../src/model/metadata/metadata.ts";
import { exportVector } from "../../support/export-judges.ts";
import { RECORD, sampleRecords } from "../../support/exported-records.ts";

const COUNT = process.env.ARKSTONE_SLOW === "1" ? 10_000 : 300;

const located = (location: Partial<Location>) =>
  writeGeoJson({ ...RECORD, metadata: { ...EMPTY_METADATA, locations: [{ places: [], ids: [], ...location }] } });
const geometryOf = (location: Partial<Location>) => JSON.parse(located(location).text).features[0].geometry;

/** Of rings whose positions are on one line. */
const ROUNDING = 1e-9;

type Walked = { positions: number[][]; polygons: number[][][][] };

/** Every position and polygon in a geometry, written apart from the writer. */
function walk(geometry: { type: string; coordinates?: never; geometries?: never[] } | null, found: Walked): Walked {
  if (geometry === null) return found;
  if (geometry.type === "GeometryCollection") for (const each of geometry.geometries ?? []) walk(each, found);
  if (geometry.type === "Polygon") found.polygons.push(geometry.coordinates ?? []);
  if (geometry.type === "MultiPolygon") found.polygons.push(...((geometry.coordinates ?? []) as number[][][][]));
  const positions = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] === "number") found.positions.push(value);
    else for (const each of value) positions(each);
  };
  positions(geometry.coordinates);
  return found;
}

function area(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
}

describe("writeGeoJson()", () => {
  test(`S3.6.204 ${COUNT} records of all kinds are valid by the schema, in range and well turned`, () => {
    const schema = JSON.parse(readFileSync(exportVector("geojson-feature-collection.json"), "utf8"));
    const judge = new Ajv({ strict: false }).compile(schema);
    let places = 0;
    for (const record of sampleRecords(COUNT)) {
      const collection = JSON.parse(writeGeoJson(record).text);
      judge(collection);
      expect(judge.errors ?? []).toEqual([]);
      expect(collection.features).toHaveLength(record.metadata.locations.length);
      for (const { geometry } of collection.features) {
        const { positions, polygons } = walk(geometry, { positions: [], polygons: [] });
        places += positions.length;
        for (const [longitude = 999, latitude = 999] of positions)
          expect(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90).toBe(true);
        for (const rings of polygons)
          for (const [at, ring] of rings.entries()) {
            expect(ring.at(0)).toEqual(ring.at(-1));
            expect(at === 0 ? area(ring) >= -ROUNDING : area(ring) <= ROUNDING).toBe(true);
          }
      }
    }
    expect(places).toBeGreaterThan(COUNT / 10);
  });

  test("S3.6.205 a record without places is an empty collection", () => {
    expect(JSON.parse(writeGeoJson(RECORD).text)).toEqual({
      type: "FeatureCollection",
      features: [],
      links: [
        { rel: "about", href: RECORD.landingPage },
        { rel: "cite-as", href: RECORD.arkUrl },
      ],
    });
  });

  test("S3.6.205 a place with its name, identifier and description", () => {
    const { text, leftOut } = located({
      point: { longitude: "139.7", latitude: "35.69" },
      places: [{ value: "Tokyo" }, { value: "東京", lang: "ja" }],
      ids: [{ scheme: "geonames", value: "1850147" }],
      description: { value: "Capital" },
    });
    expect(JSON.parse(text).features).toEqual([
      {
        type: "Feature",
        geometry: { type: "Point", coordinates: [139.7, 35.69] },
        properties: {
          place: "Tokyo",
          places: [
            { value: "Tokyo", lang: null },
            { value: "東京", lang: "ja" },
          ],
          identifiers: [{ scheme: "geonames", identifier: "1850147" }],
          description: "Capital",
        },
      },
    ]);
    expect(leftOut).toEqual([]);
  });

  const square = [
    [0, 0],
    [0, 10],
    [10, 10],
    [10, 0],
  ];

  test("S3.6.205 a ring is closed, and an outer one runs against the clock", () => {
    expect(geometryOf({ geometry: { type: "Polygon", coordinates: [square] } }).coordinates).toEqual([
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ],
    ]);
  });

  test("S3.6.205 a hole runs with the clock", () => {
    const hole = [
      [1, 1],
      [2, 1],
      [2, 2],
      [1, 1],
    ];
    const { coordinates } = geometryOf({ geometry: { type: "Polygon", coordinates: [square, hole] } });
    expect(coordinates[1]).toEqual([...hole].reverse());
  });

  test("S3.6.205 a box is a polygon, and one across the antimeridian is two", () => {
    const box = { west: "170", east: "-170", south: "-10", north: "10" };
    expect(geometryOf({ box: { ...box, east: "175" } }).type).toBe("Polygon");
    const { type, coordinates } = geometryOf({ box });
    expect(type).toBe("MultiPolygon");
    expect(coordinates.map(([ring]: number[][][]) => [ring?.[0]?.[0], ring?.[1]?.[0]])).toEqual([
      [170, 180],
      [-180, -170],
    ]);
  });

  test("S3.6.205 a box without area is a line or a point", () => {
    const line = { west: "1", east: "2", south: "3", north: "3" };
    expect(geometryOf({ box: line })).toEqual({
      type: "LineString",
      coordinates: [
        [1, 3],
        [2, 3],
      ],
    });
    expect(geometryOf({ box: { ...line, east: "1" } })).toEqual({ type: "Point", coordinates: [1, 3] });
  });

  test.each<[string, Partial<Location>]>([
    ["words", { point: { longitude: "east", latitude: "1" } }],
    ["beyond the pole", { point: { longitude: "1", latitude: "91" } }],
    ["north below south", { box: { west: "1", east: "2", south: "9", north: "3" } }],
    ["no geometry at all", { geometry: { type: "Circle", coordinates: [1, 2] } }],
  ])("S3.6.205 R38 coordinates that are %s are none, and that is reported", (_, location) => {
    expect(geometryOf(location)).toBeNull();
    expect(located(location).leftOut).toEqual([
      "Coordinates of place 1 left out: they are not numbers in the range of GeoJSON",
    ]);
  });
});
