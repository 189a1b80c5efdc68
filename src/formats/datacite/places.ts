// Places as DataCite 4.6 describes them: points, boxes and polygons in degrees, and names. A location of the model that
// has several becomes several.
import type { Location } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject } from "../../shared/json/read.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { trimmedText } from "../export-values.ts";
import type { Notes } from "../jpcoar/elements.ts";
import { isLatitude, isLongitude } from "../jpcoar/text-rules.ts";

export type GeoPoint = { readonly pointLongitude: number; readonly pointLatitude: number };
export type GeoBox = {
  readonly westBoundLongitude: number;
  readonly eastBoundLongitude: number;
  readonly southBoundLatitude: number;
  readonly northBoundLatitude: number;
};
export type GeoLocation = {
  readonly geoLocationPlace?: string;
  readonly geoLocationPoint?: GeoPoint;
  readonly geoLocationBox?: GeoBox;
  readonly geoLocationPolygon?: readonly { readonly polygonPoint: GeoPoint }[];
};
type Shape = Omit<GeoLocation, "geoLocationPlace">;

/** Degrees as people wrote them; -0 is 0. */
const degrees = (text: string): number => Number(text.trim()) + 0;

function pointOf({ longitude, latitude }: NonNullable<Location["point"]>): GeoPoint | null {
  if (!isLongitude(longitude.trim()) || !isLatitude(latitude.trim())) return null;
  return { pointLongitude: degrees(longitude), pointLatitude: degrees(latitude) };
}

function boxOf({ west, east, south, north }: NonNullable<Location["box"]>): GeoBox | null {
  const isBox =
    [west, east].every((side) => isLongitude(side.trim())) && [south, north].every((side) => isLatitude(side.trim()));
  if (!isBox) return null;
  return {
    westBoundLongitude: degrees(west),
    eastBoundLongitude: degrees(east),
    southBoundLatitude: degrees(south),
    northBoundLatitude: degrees(north),
  };
}

/** A position of GeoJSON: longitude, latitude, and a height that is ignored. */
function positionOf(value: Json | undefined): GeoPoint | null {
  if (!isJsonArray(value)) return null;
  const [longitude, latitude] = value;
  if (typeof longitude !== "number" || typeof latitude !== "number") return null;
  if (!(Math.abs(longitude) <= 180) || !(Math.abs(latitude) <= 90)) return null;
  return { pointLongitude: longitude + 0, pointLatitude: latitude + 0 };
}

/** The outer ring; four corners along the axes are a box. */
function polygonOf(rings: Json | undefined): Shape | null {
  const ring = isJsonArray(rings) ? rings[0] : undefined;
  if (!isJsonArray(ring)) return null;
  const points = ring.map(positionOf);
  const known = points.filter((point) => point !== null);
  if (known.length < points.length || known.length < 4) return null;
  const [west = 0, east, ...longitudes] = [...new Set(known.map((point) => point.pointLongitude))].sort(
    (a, b) => a - b,
  );
  const [south = 0, north, ...latitudes] = [...new Set(known.map((point) => point.pointLatitude))].sort(
    (a, b) => a - b,
  );
  const hasCorners = known.length <= 5 && longitudes.length + latitudes.length === 0;
  if (hasCorners && east !== undefined && north !== undefined)
    return {
      geoLocationBox: {
        westBoundLongitude: west,
        eastBoundLongitude: east,
        southBoundLatitude: south,
        northBoundLatitude: north,
      },
    };
  return { geoLocationPolygon: known.map((polygonPoint) => ({ polygonPoint })) };
}

const GEOMETRIES_MAX = 10_000;

/**
 * The parts of a GeoJSON geometry that DataCite has a form for: points and polygons. Collections are not deeper than
 * documents may be.
 */
export function shapesOf(geometry: Json, found: Shape[] = []): readonly Shape[] {
  if (!isJsonObject(geometry) || found.length >= GEOMETRIES_MAX) return found;
  const { type, coordinates, geometries } = geometry;
  const add = (shape: Shape | null): void => {
    if (shape !== null) found.push(shape);
  };
  const point = (value: Json): void => {
    const position = positionOf(value);
    add(position === null ? null : { geoLocationPoint: position });
  };
  const several = isJsonArray(coordinates) ? coordinates : [];
  if (type === "Point") point(coordinates ?? null);
  else if (type === "MultiPoint") several.forEach(point);
  else if (type === "Polygon") add(polygonOf(coordinates));
  else if (type === "MultiPolygon") for (const rings of several) add(polygonOf(rings));
  else if (type === "GeometryCollection" && isJsonArray(geometries))
    for (const each of geometries) shapesOf(each, found);
  return found;
}

export function geoLocationsOf(locations: readonly Location[], notes: Notes): readonly GeoLocation[] {
  return locations.flatMap(({ point, box, geometry, places, ids, description }) => {
    const stated: Shape = withoutUndefined({
      geoLocationPoint: (point === undefined ? null : pointOf(point)) ?? undefined,
      geoLocationBox: (box === undefined ? null : boxOf(box)) ?? undefined,
    });
    if (point !== undefined && stated.geoLocationPoint === undefined)
      notes.add("A point outside the range of degrees is left out");
    if (box !== undefined && stated.geoLocationBox === undefined)
      notes.add("A box outside the range of degrees is left out");
    if (ids.length > 0 || description !== undefined) notes.add("Identifiers and descriptions of places left out");
    const hasStated = Object.keys(stated).length > 0;
    const shapes = geometry === undefined || hasStated ? [] : shapesOf(geometry);
    if (geometry !== undefined && !hasStated && shapes.length === 0)
      notes.add("A geometry that is neither point nor polygon is left out");
    const [first = {}, ...rest] = hasStated ? [stated] : shapes;
    const [name, ...names] = places.map(({ value }) => trimmedText(value)).filter((place) => place !== "");
    const head: GeoLocation = { ...withoutUndefined({ geoLocationPlace: name }), ...first };
    return [
      ...(Object.keys(head).length === 0 ? [] : [head]),
      ...names.map((geoLocationPlace) => ({ geoLocationPlace })),
      ...rest,
    ];
  });
}
