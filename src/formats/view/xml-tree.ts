// XML as a tree (Q.87): elements with their attributes as they are written, texts and comments.
import type { InParts } from "../../shared/time/event-loop.ts";
import { type DataNode, DEPTH_READ, TREE, TreeBuilder } from "./data-tree.ts";
import { cutText } from "./shown-text.ts";
import { NotXml, withReferences, type XmlEvent, xmlEvents } from "./xml-events.ts";

const EVENTS_PER_PART = 2_000;

export type XmlTreeFault = "not-xml" | "too-deep";

/** The nodes of a document from the top. */
export function* xmlTree(source: string): InParts<readonly DataNode[] | XmlTreeFault> {
  const tree = new TreeBuilder({ label: "", kind: "element", value: "" });
  const names: string[] = [];
  let [count, hasRoot] = [0, false];
  try {
    for (const event of xmlEvents(source)) {
      if (event.kind === "open") {
        if (names.length === 0 && hasRoot) return "not-xml";
        hasRoot = true;
        if (names.length >= DEPTH_READ) return "too-deep";
      }
      if (!take(event, tree, names)) return "not-xml";
      count += 1;
      if (count % EVENTS_PER_PART === 0) yield;
    }
  } catch (error) {
    if (error instanceof NotXml) return "not-xml";
    throw error;
  }
  return hasRoot && names.length === 0 ? tree.root.children : "not-xml";
}

/** False where the event does not fit to those before it. */
function take(event: XmlEvent, tree: TreeBuilder, names: string[]): boolean {
  switch (event.kind) {
    case "open": {
      const node = { label: event.name, kind: "element", value: event.rest.trim() } as const;
      if (event.isEmpty) tree.add(node);
      else {
        tree.enter(node);
        names.push(event.name);
      }
      return true;
    }
    case "close":
      tree.leave();
      return names.pop() === event.name;
    case "text": {
      const text = event.text.trim();
      if (text === "") return true;
      if (names.length === 0) return false;
      const shown = cutText(text, TREE.characters + 1).text;
      tree.add({ label: "", kind: "text", value: event.isPlain ? shown : withReferences(shown) });
      return true;
    }
    default:
      tree.add({
        label: event.kind === "comment" ? "" : event.kind,
        kind: "comment",
        value: event.text.trim(),
      });
      return true;
  }
}
