// Features as a plain map (R49): lengths along both axes are those of the middle latitude, degrees are named at the
// edges, nothing comes from a server of maps. All work is linear in the number of positions.
import type { InParts } from "../../shared/time/event-loop.ts";
import type { Line, MapFeature } from "./geo-json.ts";

export type MapDrawing = {
  readonly width: number;
  readonly height: number;
  /** West, south, east and north of what is shown, in degrees; east above 180 where it crosses the antimeridian. */
  readonly box: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
  /** Paths of SVG, one entry a feature; further features share the last one. */
  readonly shapes: readonly { readonly dots: string; readonly lines: string; readonly areas: string }[];
  readonly meridians: readonly { readonly at: number; readonly label: string }[];
  readonly parallels: readonly { readonly at: number; readonly label: string }[];
  readonly scale: { readonly pixels: number; readonly meters: number };
  /** Positions nearer to each other than this are shown as one, in degrees; 0: all are shown. */
  readonly toleranceDegrees: number;
  /** Not everything is shown. */
  readonly isCut: boolean;
};

const WIDTH = 800;
const HEIGHT_LEAST = 240;
const HEIGHT_MOST = 800;
const MARGIN = 0.06;
/** Positions that are written; the drawing is simplified until it has no more, or cut. */
const WRITTEN_MAX = 20_000;
/** Features with a path for themselves. */
const SHAPES_MAX = 1_000;
const SPAN_LEAST = 0.002;

type Span = { least: number; most: number };
const spanOf = (): Span => ({ least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY });
function widen(span: Span, value: number): void {
  if (value < span.least) span.least = value;
  if (value > span.most) span.most = value;
}

/** Null where there is no position. */
export function* drawMap(features: readonly MapFeature[]): InParts<MapDrawing | null> {
  const parts = features.map(({ dots, lines, areas }) => ({ dots, lines, rings: areas.flat() }));
  const all = parts.flatMap(({ dots, lines, rings }) => [dots, ...lines, ...rings]);
  yield;
  const from = yield* frameOf(all);
  const [across, up] = [spanOf(), spanOf()];
  for (const line of all) {
    for (const [longitude, latitude] of unwrapped(line, from)) {
      widen(across, longitude);
      widen(up, latitude);
    }
    yield;
  }
  if (across.most < across.least) return null;
  const view = viewOf(across, up);
  for (let tolerance = 0; ; tolerance = tolerance === 0 ? TOLERANCE_LEAST : tolerance * 2) {
    const { shapes, isCut } = yield* drawParts(parts, { view, from, tolerance });
    if (isCut && tolerance < TOLERANCE_MOST) continue;
    return { ...viewParts(view), shapes, isCut, toleranceDegrees: tolerance / view.perDegreeUp };
  }
}

/** Where longitudes begin, so that what is shown is narrowest: -180, or 0 where it crosses the antimeridian. */
function* frameOf(all: readonly Line[]): InParts<number> {
  const width = function* (from: number): InParts<number> {
    const span = spanOf();
    for (const line of all) {
      for (const [longitude] of unwrapped(line, from)) widen(span, longitude);
      yield;
    }
    return span.most - span.least;
  };
  return (yield* width(0)) < (yield* width(-180)) ? 0 : -180;
}

/** The same longitude at or after `from`; the end of the range stays what it is. */
const wrapped = (longitude: number, from: number): number =>
  longitude >= from && longitude <= from + 360 ? longitude : longitude - 360 * Math.floor((longitude - from) / 360);

/** Positions one after another: a step of more than half around the earth is a step the other way. */
function* unwrapped(line: Line, from: number): Generator<readonly [number, number]> {
  let before: number | null = null;
  for (let at = 0; at < line.length; at += 2) {
    let longitude = wrapped(line[at] ?? 0, from);
    if (before !== null && longitude - before > 180) longitude -= 360;
    else if (before !== null && longitude - before < -180) longitude += 360;
    before = longitude;
    yield [longitude, line[at + 1] ?? 0];
  }
}

type View = {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
  readonly perDegreeAcross: number;
  readonly perDegreeUp: number;
  readonly width: number;
  readonly height: number;
};

function viewOf(across: Span, up: Span): View {
  const middle = (up.least + up.most) / 2;
  // Near the poles a degree of longitude has no length.
  const ratio = Math.max(0.2, Math.cos((middle * Math.PI) / 180));
  const spanUp = Math.max((up.most - up.least) * (1 + 2 * MARGIN), SPAN_LEAST);
  const spanAcross = Math.max(
    (across.most - across.least) * (1 + 2 * MARGIN),
    SPAN_LEAST,
    (spanUp * WIDTH) / HEIGHT_MOST / ratio,
  );
  const perDegreeAcross = WIDTH / spanAcross;
  const perDegreeUp = perDegreeAcross / ratio;
  const height = Math.min(HEIGHT_MOST, Math.max(HEIGHT_LEAST, Math.ceil(spanUp * perDegreeUp)));
  const center = (across.least + across.most) / 2;
  const halfUp = height / perDegreeUp / 2;
  return {
    ...{ west: center - spanAcross / 2, east: center + spanAcross / 2, north: middle + halfUp, south: middle - halfUp },
    ...{ perDegreeAcross, perDegreeUp, width: WIDTH, height },
  };
}

type Pen = { -readonly [Name in keyof MapDrawing["shapes"][number]]: string };
type Part = { readonly dots: Line; readonly lines: readonly Line[]; readonly rings: readonly Line[] };
type Drawing = {
  readonly view: View;
  readonly from: number;
  readonly tolerance: number;
  /** Positions shown so far. */
  count: number;
  /** Where there is a dot, in squares of the tolerance. */
  readonly taken: Set<number>;
};

/** In pixels. */
const TOLERANCE_LEAST = 0.5;
const TOLERANCE_MOST = 16;

function* drawParts(
  parts: readonly Part[],
  view: Pick<Drawing, "view" | "from" | "tolerance">,
): InParts<Pick<MapDrawing, "shapes" | "isCut">> {
  const drawing: Drawing = { ...view, count: 0, taken: new Set() };
  const shapes: Pen[] = [];
  for (const part of parts) {
    const last = shapes[SHAPES_MAX - 1];
    const shape = last ?? { dots: "", lines: "", areas: "" };
    if (last === undefined) shapes.push(shape);
    yield* drawPart(part, drawing, shape);
    if (drawing.count > WRITTEN_MAX) return { shapes, isCut: true };
    yield;
  }
  return { shapes, isCut: false };
}

/** Adds to the paths until there is too much. */
function* drawPart({ dots, lines, rings }: Part, drawing: Drawing, shape: Pen): InParts<void> {
  let done = 0;
  for (const at of pixels(dots, drawing)) {
    if (++done % STEP === 0) yield;
    if (drawing.count > WRITTEN_MAX) return;
    shape.dots += dot(at, drawing);
  }
  for (const [name, all, end] of [
    ["lines", lines, ""],
    ["areas", rings, "Z"],
  ] as const) {
    for (const line of all) {
      const kept = thinned(line, drawing);
      const [only] = kept;
      if (kept.length === 1 && only !== undefined) shape.dots += dot(only, drawing);
      else drawing.count += kept.length;
      if (drawing.count > WRITTEN_MAX) return;
      if (kept.length > 1) shape[name] += `M${kept.map(written).join("L")}${end}`;
      yield;
    }
  }
}

/** Positions shown between two yields. */
const STEP = 5_000;

type Pixel = readonly [x: number, y: number];

function* pixels(line: Line, { view, from }: Drawing): Generator<Pixel> {
  for (const [longitude, latitude] of unwrapped(line, from)) {
    yield [(longitude - view.west) * view.perDegreeAcross, (view.north - latitude) * view.perDegreeUp];
  }
}

/** A position, the next one that is as far away as the tolerance, and so on. */
function thinned(line: Line, drawing: Drawing): readonly Pixel[] {
  const least = drawing.tolerance ** 2;
  const kept: Pixel[] = [];
  let last: Pixel | null = null;
  for (const next of pixels(line, drawing)) {
    if (last !== null && (next[0] - last[0]) ** 2 + (next[1] - last[1]) ** 2 < least) continue;
    last = next;
    kept.push(next);
    if (drawing.count + kept.length > WRITTEN_MAX) break;
  }
  return kept;
}

const one = (value: number): string => String(Math.round(value * 10) / 10);
const written = ([x, y]: Pixel): string => `${one(x)} ${one(y)}`;

/** A dot is a line without length, with round ends. Nothing where there is one already, or too many. */
function dot([x, y]: Pixel, drawing: Drawing): string {
  const { tolerance, taken } = drawing;
  if (tolerance > 0) {
    const square = Math.floor(x / tolerance) * 10_000 + Math.floor(y / tolerance);
    if (taken.has(square)) return "";
    taken.add(square);
  }
  drawing.count += 1;
  return drawing.count > WRITTEN_MAX ? "" : `M${written([x, y])}h0`;
}

const STEPS = [60, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002];
const STEP_LEAST = 0.0002;
const LINES_ACROSS = 4;
/** Lines nearer to an edge than this have no room for their label. */
const EDGE = 14;

const stepOf = (span: number): number => STEPS.find((step) => span / step >= LINES_ACROSS) ?? STEP_LEAST;
const digitsOf = (step: number): number => Math.max(0, -Math.floor(Math.log10(step)));

function viewParts(view: View): Omit<MapDrawing, "shapes" | "toleranceDegrees" | "isCut"> {
  const { west, east, south, north, width, height, perDegreeAcross, perDegreeUp } = view;
  const [stepAcross, stepUp] = [stepOf(east - west), stepOf(north - south)];
  const across = ticks(west + EDGE / perDegreeAcross, east - EDGE / perDegreeAcross, stepAcross);
  const [low, high] = [south + EDGE / perDegreeUp, north - EDGE / perDegreeUp];
  const up = ticks(Math.max(low, -90), Math.min(high, 90), stepUp);
  return {
    width,
    height,
    box: { west, south: Math.max(south, -90), east, north: Math.min(north, 90) },
    meridians: across.map((degree) => ({
      at: Math.round((degree - west) * perDegreeAcross),
      label: degreeLabel(wrapped(degree, -180), ["W", "E"], digitsOf(stepAcross)),
    })),
    parallels: up.map((degree) => ({
      at: Math.round((north - degree) * perDegreeUp),
      label: degreeLabel(degree, ["S", "N"], digitsOf(stepUp)),
    })),
    scale: scaleOf(perDegreeUp),
  };
}

function ticks(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.min(40, Math.floor(to / step) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * step);
}

/** `135.5°E`; without a letter on the equator, on the prime meridian and opposite of it. */
export function degreeLabel(degree: number, [negative, positive]: readonly [string, string], digits: number): string {
  const text = Math.abs(degree).toFixed(digits);
  return `${text}°${Number(text) === 0 || Number(text) === 180 ? "" : degree < 0 ? negative : positive}`;
}

const METERS_PER_DEGREE = 111_195;
const SCALE_PIXELS = 160;

/** The longest round length that fits: 1, 2 or 5 times a power of ten. */
function scaleOf(perDegreeUp: number): MapDrawing["scale"] {
  const perPixel = METERS_PER_DEGREE / perDegreeUp;
  const most = perPixel * SCALE_PIXELS;
  const power = 10 ** Math.floor(Math.log10(most));
  const meters = [5, 2, 1].map((each) => each * power).find((each) => each <= most) ?? power;
  return { pixels: Math.round(meters / perPixel), meters };
}
