// GeoJSON as a map and a table (Q.130 to Q.133).
import { decodeText } from "../../formats/text/plain.ts";
import { type MapContent, type NoMap, readGeoJson } from "../../formats/view/geo-json.ts";
import { drawMap, type MapDrawing } from "../../formats/view/map-drawing.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown, type NotShownReason } from "./reading.ts";

export type MapView = { readonly content: MapContent; readonly drawing: MapDrawing };

const REASONS: Readonly<Record<NoMap, NotShownReason>> = {
  "not-geojson": "wrong-content",
  "too-much": "too-complex",
  "too-deep": "too-complex",
  projected: "no-degrees",
  nowhere: "no-places",
};

export async function viewMap({ whole }: FileReader): Promise<MapView> {
  const bytes = await whole("map");
  await yieldToEventLoop();
  const text = decodeText(bytes);
  await yieldToEventLoop();
  const content = await inTurns(readGeoJson(text));
  if (typeof content === "string") throw new NotShown(REASONS[content]);
  const drawing = await inTurns(drawMap(content.features));
  if (drawing === null) throw new NotShown("no-places");
  return { content, drawing };
}
