// GeoJSON as a plain map (R49, Q.130 to Q.133): what is drawn and listed, and how little of a hostile file.
import { expect, test } from "bun:test";
import { type MapContent, readGeoJson } from "../../../src/formats/view/geo-json.ts";
import { degreeLabel, drawMap, type MapDrawing } from "../../../src/formats/view/map-drawing.ts";
import { runWithoutYielding } from "../../../src/shared/time/event-loop.ts";
import { onReferenceMachine } from "../../support/calibration.ts";

const read = (value: unknown) =>
  runWithoutYielding(readGeoJson(typeof value === "string" ? value : JSON.stringify(value)));
function content(value: unknown): MapContent {
  const found = read(value);
  if (typeof found === "string") throw new Error(found);
  return found;
}
function drawn(value: unknown): MapDrawing {
  const map = runWithoutYielding(drawMap(content(value).features));
  if (map === null) throw new Error("nothing is drawn");
  return map;
}
const feature = (geometry: object, properties: object | null = null) => ({ type: "Feature", geometry, properties });
const collection = (...features: readonly object[]) => ({ type: "FeatureCollection", features });

/** The longest piece of work between two yields, in milliseconds of the processor. */
function longestMs<T>(work: Generator<void, T>): { readonly ms: number; readonly result: T } {
  for (let ms = 0; ; ) {
    const before = process.cpuUsage();
    const step = work.next();
    const { user, system } = process.cpuUsage(before);
    ms = Math.max(ms, (user + system) / 1000);
    if (step.done) return { ms: onReferenceMachine(ms), result: step.value };
  }
}

test("Q.130 points, lines, polygons with holes and collections are features with their properties", () => {
  const square = (from: number, to: number) => [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ]; // prettier-ignore
  const { features, count, positions } = content(
    collection(
      feature(
        { type: "Point", coordinates: [139.7, 35.6, 12] },
        { name: "東京", depth: 3, tags: ["a"], of: { b: 1 }, no: null },
      ),
      { ...feature({ type: "Polygon", coordinates: [square(0, 10), square(2, 4)] }), id: 7 },
      feature({
        type: "GeometryCollection",
        geometries: [
          {
            type: "MultiPoint",
            coordinates: [
              [1, 1],
              [2, 2],
            ],
          },
          {
            type: "MultiLineString",
            coordinates: [
              [
                [0, 0],
                [1, 1],
              ],
              [
                [2, 2],
                [3, 3],
              ],
            ],
          },
          { type: "MultiPolygon", coordinates: [[square(5, 6)], [square(7, 8)]] },
        ],
      }),
      { type: "Feature", geometry: null, properties: { name: "nowhere" } },
    ),
  );
  expect([features.length, count, positions]).toEqual([4, 4, 1 + 10 + 2 + 4 + 10]);
  expect(features[0]?.properties).toEqual([
    ["name", "東京"],
    ["depth", "3"],
    ["tags", "[1]"],
    ["of", "{1}"],
    ["no", ""],
  ]);
  expect(
    features.map(({ id, kind, dots, lines, areas }) => [
      id,
      kind,
      dots.length / 2,
      lines.length,
      areas.map((rings) => rings.length),
    ]),
  ).toEqual([
    ["", "Point", 1, 0, []],
    ["7", "Polygon", 0, 0, [2]],
    ["", "GeometryCollection", 2, 2, [1, 1]],
    ["", "", 0, 0, []],
  ]);
  const { shapes } = drawn(feature({ type: "Polygon", coordinates: [square(0, 10), square(2, 4)] }));
  expect(shapes[0]?.areas.match(/M[^MZ]+Z/g)).toHaveLength(2);
});

test("Q.131 what crosses the antimeridian is drawn in one piece, next to the longitudes of both sides", () => {
  const fiji = [
    [179, -17],
    [-179, -17],
    [-179, -16],
    [179, -16],
    [179, -17],
  ];
  const { box, meridians } = drawn({ type: "Polygon", coordinates: [fiji] });
  expect([Math.round(box.west), Math.round(box.east)]).toEqual([179, 181]);
  expect(meridians.map(({ label }) => label)).toEqual(["179.0°E", "179.5°E", "180.0°", "179.5°W", "179.0°W"]);
  const world = drawn({
    type: "LineString",
    coordinates: [
      [-170, 0],
      [-60, 10],
      [60, 0],
      [170, 10],
    ],
  }).box;
  expect([world.west < -170, world.east > 170, world.east - world.west < 400]).toEqual([true, true, true]);
  const track = drawn({
    type: "LineString",
    coordinates: [
      [170, 0],
      [-170, 5],
    ],
  });
  expect(track.box.east - track.box.west).toBeLessThan(30);
});

test("Q.131 degrees are named, the scale has a round length, and one point is in the middle", () => {
  expect([degreeLabel(-0.5, ["W", "E"], 1), degreeLabel(0, ["S", "N"], 0)]).toEqual(["0.5°W", "0°"]);
  const { scale, shapes, width, height, parallels } = drawn({ type: "Point", coordinates: [139.7, 35.6] });
  expect(shapes).toEqual([{ dots: `M${width / 2} ${height / 2}h0`, lines: "", areas: "" }]);
  expect(String(scale.meters)).toMatch(/^[125]0*$/);
  expect([scale.pixels > 50, scale.pixels <= 160, parallels.length > 2]).toEqual([true, true, true]);
  const poles = drawn({
    type: "MultiPoint",
    coordinates: [
      [0, 90],
      [0, -90],
      [179, 0],
    ],
  });
  expect([poles.box.north, poles.box.south]).toEqual([90, -90]);
});

test("Q.132 what is not GeoJSON, not degrees, too deep or too much is named, not drawn", () => {
  const deep = (levels: number) => `{"type":"Point","coordinates":${"[".repeat(levels)}1,2${"]".repeat(levels)}}`;
  const crs = (name: string) => ({ type: "Point", coordinates: [1, 2], crs: { type: "name", properties: { name } } });
  for (const [value, reason] of [
    ["<html>", "not-geojson"],
    ["[1,2]", "not-geojson"],
    ['{"type":"Topology"}', "not-geojson"],
    ['{"type":"Point","coordinates":[NaN,1]}', "not-geojson"],
    ['{"type":"Point","coordinates":[1e999,1]}', "projected"],
    [{ type: "Point", coordinates: [3_943_000, 1_463_000] }, "projected"],
    [crs("urn:ogc:def:crs:EPSG::2451"), "projected"],
    [collection(), "nowhere"],
    [{ type: "Polygon", coordinates: "[[1,2]]" }, "nowhere"],
    [deep(50), "too-deep"],
    [`{"type":"MultiPoint","coordinates":[${"[1,2],".repeat(400_000)}[1,2]]}`, "too-much"],
  ] as const) {
    expect([JSON.stringify(value).slice(0, 60), read(value)]).toEqual([JSON.stringify(value).slice(0, 60), reason]);
  }
  expect(content(crs("urn:ogc:def:crs:OGC:1.3:CRS84")).positions).toBe(1);
  const mixed = content({ type: "MultiPoint", coordinates: [[1, 2], ["3", 4], [5, 91], [], null, [6, 7]] });
  expect([mixed.positions, mixed.strayed]).toEqual([2, 1]);
});

test("Q.133 120,000 positions are drawn as at most 20,000, with a stated tolerance, and no piece of work is long", () => {
  const spiral = Array.from({ length: 120_000 }, (_, at) => [
    139 + Math.sin(at / 999) * (at / 1.2e5),
    35 + Math.cos(at / 777) * (at / 1.2e5),
  ]); // prettier-ignore
  const stars = Array.from({ length: 120_000 }, (_, at) => [((at * 7.123) % 360) - 180, ((at * 13.37) % 180) - 90]);
  const strokes = Array.from({ length: 40_000 }, (_, at) => [
    [(at % 360) - 180, -80],
    [(at % 360) - 180, 80],
  ]); // prettier-ignore
  for (const [geometry, isCut] of [
    [{ type: "LineString", coordinates: spiral }, false],
    [{ type: "MultiPoint", coordinates: stars }, false],
    [{ type: "MultiLineString", coordinates: strokes }, true],
  ] as const) {
    const reading = longestMs(readGeoJson(JSON.stringify(geometry)));
    if (typeof reading.result === "string") throw new Error(reading.result);
    const { ms, result } = longestMs(drawMap(reading.result.features));
    expect([reading.ms < 250, ms < 250]).toEqual([true, true]);
    const path = Object.values(result?.shapes[0] ?? {}).join("");
    const positions = path.match(/[ML]/g)?.length ?? 0;
    expect([positions > 1_000, positions <= 20_000, result?.isCut]).toEqual([true, true, isCut]);
    expect(result?.toleranceDegrees).toBeGreaterThan(0);
  }
});

test("Q.133 of very many features the first are listed, and further ones share a path", () => {
  const many = collection(
    ...Array.from({ length: 5_000 }, (_, at) => feature({ type: "Point", coordinates: [at / 100, 1] })),
  ); // prettier-ignore
  const { features, count } = content(many);
  expect([features.length, count]).toEqual([2_000, 5_000]);
  expect(runWithoutYielding(drawMap(features))?.shapes).toHaveLength(1_000);
});
