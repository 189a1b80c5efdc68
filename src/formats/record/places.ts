// Places in the tools' model: features with a geometry of GeoJSON (RFC 7946), a name, identifiers and a description.
import { Type } from "@sinclair/typebox";
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { Location } from "../../model/metadata/metadata.ts";
import { faultSentence } from "../../shared/field-faults.ts";
import { type OptionalField, optional } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { most } from "../../shared/limits.ts";
import { isObject, maybe, own } from "../../shared/objects.ts";
import { wordOf } from "../../shared/shapes.ts";
import type { InParts } from "../../shared/time/event-loop.ts";
import { IDENTIFIER_LISTS, readIdents, showIdents } from "./identifiers.ts";
import { hasSameContent, type ListFormat, readListInParts } from "./keep.ts";
import { line, listed, opened, type RecordInput, shape } from "./record-input.ts";

/** Lists inside each other around one position, and whether the innermost ones are rings. */
const GEOMETRIES: Readonly<
  Record<string, { readonly depth: number; readonly shortest: number; readonly isRing?: true }>
> = {
  Point: { depth: 0, shortest: 1 },
  MultiPoint: { depth: 1, shortest: 1 },
  LineString: { depth: 1, shortest: 2 },
  MultiLineString: { depth: 2, shortest: 2 },
  Polygon: { depth: 2, shortest: 4, isRing: true },
  MultiPolygon: { depth: 3, shortest: 4, isRing: true },
};

function isPosition(value: Json | undefined): value is readonly number[] {
  if (!isJsonArray(value) || value.length < 2 || value.length > 3) return false;
  const [longitude, latitude] = value;
  const isDegree = (degrees: Json | undefined, most: number): boolean =>
    typeof degrees === "number" && Math.abs(degrees) <= most;
  return (
    value.every((each) => typeof each === "number" && Number.isFinite(each)) &&
    isDegree(longitude, 180) &&
    isDegree(latitude, 90)
  );
}

type PositionCount = { positions: number };

function areCoordinates(
  value: Json,
  rule: { depth: number; shortest: number; isRing?: true },
  count: PositionCount,
): boolean {
  if (rule.depth === 0) return ++count.positions <= most("values") && isPosition(value);
  if (!isJsonArray(value) || value.length === 0) return false;
  if (rule.depth === 1 && value.length < rule.shortest) return false;
  const isClosed = rule.depth !== 1 || rule.isRing !== true || hasSameContent(value[0], value.at(-1));
  return isClosed && value.every((each) => areCoordinates(each, { ...rule, depth: rule.depth - 1 }, count));
}

const GEOMETRY: OptionalField<JsonObject> = optional({
  schema: Type.Object(
    { type: wordOf(Object.keys(GEOMETRIES)), coordinates: Type.Array(Type.Unknown()) },
    { $id: "GeometryInput", description: "A geometry of GeoJSON: degrees of longitude and latitude" },
  ),
  read(sent, path) {
    if (sent === null) throw faultSentence(path, RECORD_SENTENCES.nullValue);
    if (!isObject(sent)) throw faultSentence(path, RECORD_SENTENCES.notObject);
    // Bodies are JSON.
    const { type, coordinates } = sent as JsonObject;
    const rule = typeof type === "string" ? own(GEOMETRIES, type) : undefined;
    if (rule === undefined || typeof type !== "string") {
      // Not String(): an object may have a `toString` that is not a function.
      const written = typeof type === "string" ? type : JSON.stringify(type);
      const problem = written === undefined ? RECORD_SENTENCES.missing : `Unsupported value: ${written.slice(0, 100)}`;
      throw faultSentence(`${path}.type`, problem);
    }
    if (coordinates === undefined) throw faultSentence(`${path}.coordinates`, RECORD_SENTENCES.missing);
    if (areCoordinates(coordinates, rule, { positions: 0 })) return { type, coordinates };
    throw faultSentence(`${path}.coordinates`, "Not valid coordinates of this type.");
  },
});

const degrees = (text: string): number | null =>
  text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);

/** The location as one geometry: the stated one, else the point, else the box. */
function geometryOf({ geometry, point, box }: Location): JsonObject | null {
  if (geometry !== undefined) return isJsonObject(geometry) ? geometry : null;
  if (point !== undefined) {
    const [longitude, latitude] = [degrees(point.longitude), degrees(point.latitude)];
    return longitude === null || latitude === null ? null : { type: "Point", coordinates: [longitude, latitude] };
  }
  if (box === undefined) return null;
  const [west, east, south, north] = [degrees(box.west), degrees(box.east), degrees(box.south), degrees(box.north)];
  if (west === null || east === null || south === null || north === null) return null;
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

/** A point is stored in the model's own form, so that every format shows it. */
function locate(geometry: JsonObject): Pick<Location, "point" | "geometry"> {
  const coordinates = geometry.coordinates;
  if (geometry.type !== "Point" || !isPosition(coordinates) || coordinates.length !== 2) return { geometry };
  const [longitude, latitude] = coordinates;
  return { point: { longitude: String(longitude), latitude: String(latitude) } };
}

const FEATURE = shape(
  {
    geometry: GEOMETRY,
    place: optional(line()),
    identifiers: IDENTIFIER_LISTS.places,
    description: optional(line()),
  },
  { $id: "LocationInput" },
);
export const LOCATIONS = optional(shape({ features: optional(listed(FEATURE)) }, { $id: "LocationsInput" }));

const FEATURES: ListFormat<Location> = {
  list: LOCATIONS.fields.features,
  show(location) {
    const geometry = geometryOf(location);
    const place = location.places.find(({ value }) => value !== "")?.value;
    const identifiers = showIdents("places", location.ids);
    const description = location.description?.value;
    const shown = {
      ...maybe("geometry", geometry),
      ...maybe("place", place),
      ...(identifiers.length === 0 ? {} : { identifiers }),
      ...maybe("description", description === "" ? undefined : description),
    };
    return Object.keys(shown).length === 0 ? null : shown;
  },
  read(sent, path, to, before) {
    const members = opened(FEATURE, sent, path, to);
    if (members === null) return null;
    const old = before?.value;
    const oldGeometry = old === undefined ? null : geometryOf(old);
    const given = members.sent("geometry");
    const isGeometry = oldGeometry !== null && hasSameContent(given, oldGeometry);
    const geometry = isGeometry ? null : members.read("geometry");
    const place = members.read("place") ?? "";
    const description = members.read("description") ?? "";
    const ids = readIdents("places", members.sent("identifiers"), old?.ids ?? [], members.at("identifiers"), to);
    const oldPlace = old?.places.find(({ value }) => value !== "")?.value ?? "";
    const places = place === oldPlace && old !== undefined ? old.places : place === "" ? [] : [{ value: place }];
    if (geometry === null && !isGeometry && place === "" && ids.length === 0 && description === "") {
      const wanted = "['geometry', 'place', 'identifiers', 'description']";
      if (given === undefined && members.sent("identifiers") === undefined)
        to.fault(`${path}.locations`, `At least one of ${wanted} must be present.`);
      return null;
    }
    const isUnchanged = old?.description?.value === description;
    return {
      ...(isGeometry ? { ...maybe("point", old?.point), ...maybe("box", old?.box) } : {}),
      ...(isGeometry ? maybe("geometry", old?.geometry) : geometry === null ? {} : locate(geometry)),
      places,
      ids,
      ...maybe("description", isUnchanged ? old?.description : description === "" ? undefined : { value: description }),
    };
  },
};

export function showLocations(locations: readonly Location[]): JsonObject {
  const features = locations.flatMap((location, index) => FEATURES.show(location, index) ?? []);
  return features.length === 0 ? {} : { locations: { features } };
}

export function* readLocations(
  sent: Json | undefined,
  before: readonly Location[],
  path: string,
  to: RecordInput,
): InParts<readonly Location[]> {
  const features = opened(LOCATIONS, sent, path, to)?.sent("features");
  return yield* readListInParts(FEATURES, features, before, `${path}.features`, to);
}
