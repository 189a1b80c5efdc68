// The places of a record as GeoJSON (application/vnd.geo+json; RFC 7946): a feature each, none where it names no
// places.
import type { Location } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import { exchangedJson } from "../../shared/text/text.ts";
import type { ExportedRecord, WrittenExport } from "../exported-record.ts";
import { locationGeometry } from "./geometry.ts";

type Feature = { readonly type: "Feature"; readonly geometry: Json; readonly properties: Json };

function featureOf({ places, ids, description, ...location }: Location): Feature {
  const [place] = places;
  const properties: Record<string, Json> = {};
  if (place !== undefined) properties.place = place.value;
  if (places.length > 1) properties.places = places.map(({ value, lang = null }) => ({ value, lang }));
  if (ids.length > 0) properties.identifiers = ids.map(({ scheme, value }) => ({ scheme, identifier: value }));
  if (description !== undefined) properties.description = description.value;
  // A feature without a known place has no geometry (RFC 7946, 3.2).
  return { type: "Feature", geometry: locationGeometry({ places, ids, ...location }), properties };
}

const isUnread = (location: Location, { geometry }: Feature): boolean =>
  geometry === null && (location.point ?? location.box ?? location.geometry) !== undefined;

/**
 * What the places belong to: the page, and the ARK at its resolver. RFC 7946 allows additional members next to the
 * features (6.1).
 */
const linksOf = ({ landingPage, arkUrl }: ExportedRecord): Json => [
  { rel: "about", href: landingPage },
  ...(arkUrl === null ? [] : [{ rel: "cite-as", href: arkUrl }]),
];

export function writeGeoJson(record: ExportedRecord): WrittenExport {
  const { metadata } = record;
  const features = metadata.locations.map(featureOf);
  const leftOut = metadata.locations.flatMap((location, at) => {
    const feature = features[at];
    const isLost = feature !== undefined && isUnread(location, feature);
    return isLost ? [`Coordinates of place ${at + 1} left out: they are not numbers in the range of GeoJSON`] : [];
  });
  return {
    text: exchangedJson({ type: "FeatureCollection", features, links: linksOf(record) }),
    leftOut,
  };
}
