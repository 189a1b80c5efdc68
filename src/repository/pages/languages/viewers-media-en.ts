// English texts of the pages that show pictures, sound, film and maps (R49).
const { format: number } = new Intl.NumberFormat("en-GB");
const many = (count: number, one: string, more = `${one}s`): string => `${number(count)} ${count === 1 ? one : more}`;

const kinds: Readonly<Record<string, string>> = {
  Point: "Point",
  MultiPoint: "Points",
  LineString: "Line",
  MultiLineString: "Lines",
  Polygon: "Area",
  MultiPolygon: "Areas",
  GeometryCollection: "Collection",
};

export const viewersMediaEn = {
  /** The viewers by name. */
  viewers: { picture: "Picture", player: "Player", map: "Map" },
  picture: "Picture",
  zoom: "Zoom",
  zoomIn: "Larger",
  zoomOut: "Smaller",
  fit: "Fit to the page",
  full: "Full size",
  pixels: (width: number, height: number) => `${number(width)} × ${number(height)} pixels`,
  drawing: "A drawing without a size in pixels",
  manifest: "All pictures of this item for other viewers (IIIF manifest)",
  mayNotPlay: "Whether it plays depends on the browser. If it does not, download it.",
  noCaptions: "There are no captions.",
  captions: "Captions",
  transcript: "Transcript",
  cutTranscript: (shown: number) => `Only the first ${number(shown)} captions are shown. The file has all of them.`,
  mapOf: (count: number) => `Map of ${many(count, "feature")}`,
  extent: (box: string) => `West, south, east, north in degrees: ${box}.`,
  scale: "Scale at the middle latitude",
  places: (count: number, positions: number) => `${many(count, "feature")}, ${many(positions, "position")}.`,
  simplified: (tolerance: string) => `Positions nearer to each other than ${tolerance} are shown as one.`,
  cutMap: "There is too much to show all of it.",
  cutFeatures: (shown: number) => `Only the first ${number(shown)} features are shown.`,
  strayed: (count: number) => `${many(count, "position")} outside the range of degrees left out.`,
  features: (shown: number, count: number) =>
    shown === count ? "Features and their properties" : `The first ${number(shown)} features and their properties`,
  feature: "Feature",
  geometry: "Geometry",
  nowhere: "None",
  kinds,
};
