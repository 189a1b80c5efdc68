// A map as an SVG written here, without a server of maps, and its features as a table (Q.130 to Q.133).
import type { MapFeature } from "../../../../formats/view/geo-json.ts";
import type { MapDrawing } from "../../../../formats/view/map-drawing.ts";
import { cutText, shownText } from "../../../../formats/view/shown-text.ts";
import { table } from "../../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { MapView } from "../../../viewers/map.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

/** Features and names of properties that the table has. */
const ROWS_MAX = 500;
const COLUMNS_MAX = 12;

export function mapBody({ content, drawing }: MapView, _: FileViewPlace, { texts }: SiteView): ViewBody {
  const words = texts.viewers.media;
  const { features, count, positions, strayed } = content;
  const { toleranceDegrees, isCut, box } = drawing;
  const degrees = (value: number): string => `${Number(value.toPrecision(2))}°`;
  const notes = [
    words.places(count, positions),
    ...(toleranceDegrees > 0 ? [words.simplified(degrees(toleranceDegrees))] : []),
    ...(isCut ? [words.cutMap] : []),
    ...(features.length < count ? [words.cutFeatures(features.length)] : []),
    ...(strayed > 0 ? [words.strayed(strayed)] : []),
  ];
  const extent = words.extent([box.west, box.south, box.east, box.north].map((each) => each.toFixed(4)).join(", "));
  const body = html`<figure class="map">${mapSvg(drawing, words.mapOf(count), extent, words.scale)}</figure>
<p class="kind">${notes.join(" ")} ${extent}</p>
${featureTable(features, texts)}`;
  return { body };
}

/** From 1,000 metres on, in kilometres. */
const lengthOf = (meters: number): string => (meters >= 1_000 ? `${meters / 1_000} km` : `${meters} m`);

function mapSvg(map: MapDrawing, title: string, description: string, scaleWord: string): Html {
  const { width, height, shapes, meridians, parallels, scale } = map;
  const lines = [
    ...meridians.map(
      ({ at, label }) =>
        html`<path class="grid" d="M${at} 0V${height}"/><text x="${at + 3}" y="${height - 4}">${label}</text>`,
    ),
    ...parallels.map(
      ({ at, label }) => html`<path class="grid" d="M0 ${at}H${width}"/><text x="3" y="${at - 3}">${label}</text>`,
    ),
  ];
  const path = (kind: string, d: string): Html => (d === "" ? NOTHING : html`<path class="${kind}" d="${d}"/>`);
  const features = shapes.map(
    ({ areas, lines: strokes, dots }) => html`${path("area", areas)}${path("stroke", strokes)}${path("dot", dots)}`,
  );
  const [right, top] = [width - 12, 20];
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="map-title map-text"><title id="map-title">${title}</title><desc id="map-text">${description}</desc>
${lines}
${features}
<path class="scale" d="M${right - scale.pixels} ${top - 6}v6H${right}v-6"/><text class="end" x="${right}" y="${top + 14}">${lengthOf(scale.meters)}<title>${scaleWord}</title></text></svg>
`;
}

function featureTable(features: readonly MapFeature[], texts: SiteView["texts"]): Html {
  const words = texts.viewers.media;
  const shown = features.slice(0, ROWS_MAX);
  const names = new Set<string>();
  for (const { properties } of shown) {
    for (const [name] of properties) if (names.size < COLUMNS_MAX) names.add(name);
  }
  const columns = [...names];
  const cell = (value: string): Html => html`<bdi>${shownText(cutText(value, 200).text)}</bdi>`;
  const rows = shown.map(({ id, kind, properties }, at) => {
    const own = new Map(properties);
    const name = id === "" ? String(at + 1) : id;
    return [cell(name), words.kinds[kind] ?? words.nowhere, ...columns.map((each) => cell(own.get(each) ?? ""))];
  });
  const caption = words.features(shown.length, features.length);
  const head = [words.feature, words.geometry, ...columns.map((each) => shownText(each))];
  return table({ caption, head, rows, isStacked: false });
}
