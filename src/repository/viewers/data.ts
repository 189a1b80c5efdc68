// JSON and XML as trees that fold (Q.87).
import { declaredEncoding } from "../../formats/text/markup.ts";
import { decodeText, looksLikeText } from "../../formats/text/plain.ts";
import type { DataNode } from "../../formats/view/data-tree.ts";
import { jsonTree } from "../../formats/view/json-tree.ts";
import { xmlTree } from "../../formats/view/xml-tree.ts";
import { inTurns, yieldToEventLoop } from "../../shared/time/event-loop.ts";
import { type FileReader, NotShown } from "./reading.ts";

export type DataContent = { readonly nodes: readonly DataNode[] };

export async function viewJson({ head, whole }: FileReader): Promise<DataContent> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const text = decodeText(await whole("json"));
  await yieldToEventLoop();
  const found = await inTurns(jsonTree(text));
  if (typeof found === "string") throw new NotShown(found === "too-deep" ? "too-complex" : "wrong-content");
  return { nodes: [found] };
}

export async function viewXml({ head, whole }: FileReader): Promise<DataContent> {
  if (!looksLikeText(head)) throw new NotShown("wrong-content");
  const text = decodeText(await whole("xml"), declaredEncoding(head));
  await yieldToEventLoop();
  const found = await inTurns(xmlTree(text));
  if (typeof found === "string") throw new NotShown(found === "too-deep" ? "too-complex" : "wrong-content");
  return { nodes: found };
}
