// Geometries of RFC 7946 from the places of a record: numbers in range, closed rings, right-hand rule.
import type { Location } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject } from "../../shared/json/read.ts";

type Position = readonly number[];
type Ring = readonly Position[];

export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "MultiPoint" | "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString" | "Polygon"; readonly coordinates: readonly Ring[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/** The most levels of collections; maps do not use more. */
const DEPTH_MAX = 4;

const DECIMAL = /^[+-]?(?:\d{1,3}(?:\.\d*)?|\.\d+)$/;

/** A number as the record writes it; null for words and for what lies beyond `most`. */
function degrees(text: string, most: number): number | null {
  const written = text.trim();
  if (!DECIMAL.test(written)) return null;
  const number = Number(written);
  return Math.abs(number) <= most ? number : null;
}

function position(value: Json | undefined): Position | null {
  if (!Array.isArray(value) || value.length < 2) return null;
  const [longitude, latitude, altitude] = value;
  if (typeof longitude !== "number" || typeof latitude !== "number") return null;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return null;
  return typeof altitude === "number" && Number.isFinite(altitude)
    ? [longitude, latitude, altitude]
    : [longitude, latitude];
}

/** All of them, or null where one is invalid. */
function every<T>(value: Json | undefined, read: (each: Json) => T | null, least: number): readonly T[] | null {
  if (!Array.isArray(value) || value.length < least) return null;
  const all: T[] = [];
  for (const each of value) {
    const one = read(each);
    if (one === null) return null;
    all.push(one);
  }
  return all;
}

const line = (value: Json | undefined): readonly Position[] | null => every(value, position, 2);

/** Twice the signed area: positive for rings against the clock. */
function turn(ring: Ring): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at += 1) {
    const [x1 = 0, y1 = 0] = ring[at - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[at] ?? [];
    sum += x1 * y2 - x2 * y1;
  }
  return sum;
}

const isSame = (a: Position | undefined, b: Position | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((each, at) => each === b[at]);

function closedRing(value: Json | undefined): Ring | null {
  const positions = every(value, position, 3);
  const [first] = positions ?? [];
  if (positions === null || first === undefined) return null;
  const closed = isSame(first, positions.at(-1)) ? positions : [...positions, first];
  return closed.length < 4 ? null : closed;
}

/** The outer ring against the clock, holes with it. */
function polygon(value: Json | undefined): readonly Ring[] | null {
  const rings = every(value, closedRing, 1);
  return rings?.map((ring, at) => (turn(ring) < 0 === (at === 0) ? [...ring].reverse() : ring)) ?? null;
}

function geometryOf(value: Json | undefined, depth: number): Geometry | null {
  if (!isJsonObject(value) || depth > DEPTH_MAX) return null;
  const { type, coordinates } = value;
  if (type === "Point") {
    const point = position(coordinates);
    return point === null ? null : { type, coordinates: point };
  }
  if (type === "MultiPoint" || type === "LineString") {
    const points = every(coordinates, position, type === "LineString" ? 2 : 0);
    return points === null ? null : { type, coordinates: points };
  }
  if (type === "MultiLineString" || type === "Polygon") {
    const parts = type === "Polygon" ? polygon(coordinates) : every(coordinates, line, 0);
    return parts === null ? null : { type, coordinates: parts };
  }
  if (type === "MultiPolygon") {
    const polygons = every(coordinates, polygon, 0);
    return polygons === null ? null : { type, coordinates: polygons };
  }
  if (type !== "GeometryCollection") return null;
  const geometries = every(value.geometries, (each) => geometryOf(each, depth + 1), 0);
  return geometries === null ? null : { type, geometries: geometries.flatMap(partsOf) };
}

const partsOf = (geometry: Geometry): readonly Geometry[] =>
  geometry.type === "GeometryCollection" ? geometry.geometries : [geometry];

/** A box that crosses the antimeridian is two polygons (RFC 7946, 3.1.9). */
function boxGeometry({ west, east, south, north }: NonNullable<Location["box"]>): Geometry | null {
  const [left, right] = [degrees(west, 180), degrees(east, 180)];
  const [low, high] = [degrees(south, 90), degrees(north, 90)];
  if (left === null || right === null || low === null || high === null || low > high) return null;
  const ring = (from: number, to: number): Ring => [
    [from, low],
    [to, low],
    [to, high],
    [from, high],
    [from, low],
  ];
  if (left === right && low === high) return { type: "Point", coordinates: [left, low] };
  // A box without area is a line.
  if (left === right || low === high) {
    const ends = (from: number, to: number): readonly Position[] => [
      [from, low],
      [to, high],
    ];
    if (left <= right) return { type: "LineString", coordinates: ends(left, right) };
    return { type: "MultiLineString", coordinates: [ends(left, 180), ends(-180, right)] };
  }
  if (left < right) return { type: "Polygon", coordinates: [ring(left, right)] };
  return { type: "MultiPolygon", coordinates: [[ring(left, 180)], [ring(-180, right)]] };
}

function pointGeometry({ longitude, latitude }: NonNullable<Location["point"]>): Geometry | null {
  const [x, y] = [degrees(longitude, 180), degrees(latitude, 90)];
  return x === null || y === null ? null : { type: "Point", coordinates: [x, y] };
}

/** The geometry of a location: one, or several as a collection; null where it has none. */
export function locationGeometry({ point, box, geometry }: Location): Geometry | null {
  const found = [
    geometry === undefined ? null : geometryOf(geometry, 0),
    point === undefined ? null : pointGeometry(point),
    box === undefined ? null : boxGeometry(box),
  ].filter((each) => each !== null);
  // Collections are not nested (RFC 7946, 3.1.8).
  const parts = found.length < 2 ? found : found.flatMap(partsOf);
  const distinct = [...new Map(parts.map((each) => [JSON.stringify(each), each])).values()];
  const [only, second] = distinct;
  if (only === undefined || second === undefined) return only ?? null;
  return { type: "GeometryCollection", geometries: distinct };
}
