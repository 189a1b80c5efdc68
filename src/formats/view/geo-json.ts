// GeoJSON (RFC 7946) as features that a map shows and a table lists (R49). What lies outside of the range of degrees is
// counted and left out; the bounds of the text are held before it is parsed.
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject, jsonExcess } from "../../shared/json/read.ts";
import type { InParts } from "../../shared/time/event-loop.ts";

/** Longitude and latitude, one after the other. */
export type Line = readonly number[];

export type MapFeature = {
  readonly id: string;
  /** Kind of geometry as the file states it; empty where it has none. */
  readonly kind: string;
  readonly dots: Line;
  readonly lines: readonly Line[];
  /** Rings: the first of each is the outline, the others are holes. */
  readonly areas: readonly (readonly Line[])[];
  readonly properties: readonly (readonly [name: string, value: string])[];
};

export type MapContent = {
  readonly features: readonly MapFeature[];
  /** Features in the file, those that are not listed included. */
  readonly count: number;
  readonly positions: number;
  /** Positions that are not degrees. */
  readonly strayed: number;
};

/** Why there is no map. `projected`: the file states other coordinates than degrees. */
export type NoMap = "not-geojson" | "too-much" | "too-deep" | "projected" | "nowhere";

const BOUNDS = { deepest: 40, values: 1_000_000, members: 10_000 };
/** Features that are shown and listed. */
const FEATURES_MAX = 2_000;
const PROPERTIES_MAX = 20;
const VALUE_CHARACTERS = 200;
const COLLECTION_DEPTH = 8;

/** The features of a text; what the file is instead, as a word. */
export function* readGeoJson(text: string): InParts<MapContent | NoMap> {
  const excess = jsonExcess(text, BOUNDS);
  if (excess !== null) return excess === "depth" ? "too-deep" : "too-much";
  yield;
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    return "not-geojson";
  }
  yield;
  if (!isJsonObject(json)) return "not-geojson";
  if (statesOtherCoordinates(json)) return "projected";
  const features = featuresOf(json);
  if (features === null) return "not-geojson";
  const reader: Reader = { positions: 0, strayed: 0 };
  const read: MapFeature[] = [];
  for (const feature of features.slice(0, FEATURES_MAX)) {
    read.push(yield* featureOf(feature, reader));
  }
  if (reader.positions === 0) return reader.strayed > 0 ? "projected" : "nowhere";
  return { features: read, count: features.length, ...reader };
}

type Reader = { positions: number; strayed: number };

/** The old member `crs`, where it is not the one that all files have. */
function statesOtherCoordinates({ crs }: JsonObject): boolean {
  if (!isJsonObject(crs)) return false;
  const name = isJsonObject(crs.properties) ? crs.properties.name : undefined;
  return typeof name === "string" && !/(?:CRS:?84|EPSG:+4326|WGS ?84)/i.test(name.slice(0, 200));
}

const GEOMETRIES: ReadonlySet<string> = new Set([
  ...["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"],
  "GeometryCollection",
]);

/** A bare geometry is a feature without properties. */
function featuresOf(json: JsonObject): readonly JsonObject[] | null {
  const { type, features } = json;
  if (type === "FeatureCollection" && isJsonArray(features)) return features.filter(isJsonObject);
  if (type === "Feature") return [json];
  return typeof type === "string" && GEOMETRIES.has(type) ? [{ type: "Feature", geometry: json }] : null;
}

type Shapes = { readonly dots: number[]; readonly lines: Line[]; readonly areas: (readonly Line[])[] };

function* featureOf(feature: JsonObject, reader: Reader): InParts<MapFeature> {
  const { id, geometry, properties } = feature;
  const shapes: Shapes = { dots: [], lines: [], areas: [] };
  yield* readGeometry(geometry, shapes, reader, 0);
  return {
    ...shapes,
    id: typeof id === "string" || typeof id === "number" ? String(id).slice(0, VALUE_CHARACTERS) : "",
    kind:
      isJsonObject(geometry) && typeof geometry.type === "string" && GEOMETRIES.has(geometry.type) ? geometry.type : "",
    properties: isJsonObject(properties)
      ? Object.keys(properties)
          .slice(0, PROPERTIES_MAX)
          .map((name) => [name.slice(0, VALUE_CHARACTERS), valueText(properties[name])] as const)
      : [],
  };
}

function valueText(value: Json | undefined): string {
  if (typeof value === "string") return value.slice(0, VALUE_CHARACTERS).toWellFormed();
  if (value === null || value === undefined) return "";
  // Objects are named, not written: they may be the whole file.
  if (typeof value !== "object") return String(value);
  return isJsonArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;
}

function* readGeometry(geometry: Json | undefined, shapes: Shapes, reader: Reader, depth: number): InParts<void> {
  if (!isJsonObject(geometry) || depth > COLLECTION_DEPTH) return;
  const { type, coordinates, geometries } = geometry;
  if (type === "GeometryCollection") {
    for (const each of listOf(geometries)) yield* readGeometry(each, shapes, reader, depth + 1);
  } else if (type === "Point") {
    yield* addPositions([coordinates ?? null], shapes.dots, reader);
  } else if (type === "MultiPoint") {
    yield* addPositions(listOf(coordinates), shapes.dots, reader);
  } else if (type === "LineString") {
    yield* addLine(coordinates, shapes.lines, reader);
  } else if (type === "MultiLineString") {
    for (const each of listOf(coordinates)) yield* addLine(each, shapes.lines, reader);
  } else if (type === "Polygon") {
    yield* addArea(coordinates, shapes, reader);
  } else if (type === "MultiPolygon") {
    for (const each of listOf(coordinates)) yield* addArea(each, shapes, reader);
  }
}

const listOf = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);

function* addArea(value: Json | undefined, { areas }: Shapes, reader: Reader): InParts<void> {
  const rings: Line[] = [];
  for (const ring of listOf(value)) yield* addLine(ring, rings, reader);
  if (rings.length > 0) areas.push(rings);
}

function* addLine(value: Json | undefined, lines: Line[], reader: Reader): InParts<void> {
  const line: number[] = [];
  yield* addPositions(listOf(value), line, reader);
  if (line.length > 0) lines.push(line);
}

const STEP = 5_000;

function* addPositions(positions: readonly Json[], into: number[], reader: Reader): InParts<void> {
  let done = 0;
  for (const position of positions) {
    if (++done % STEP === 0) yield;
    const [longitude, latitude] = listOf(position);
    if (typeof longitude !== "number" || typeof latitude !== "number") continue;
    // Numbers that no double holds become infinite. Some programs write longitudes up to 360.
    if (Math.abs(longitude) <= 360 && Math.abs(latitude) <= 90) {
      reader.positions += 1;
      into.push(longitude, latitude);
    } else reader.strayed += 1;
  }
  yield;
}
