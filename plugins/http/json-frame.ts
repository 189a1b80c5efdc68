// A JSON document with one long list, made a member at a time: whatever the list has, it is never whole in memory.
import type { Json } from "../../src/shared/json/json.ts";

const INDENT = 4;

/** The document in pieces; members are given as JSON. The list takes the place of the first empty list of `frame`, written as JSON, `depth` levels deep. */
export async function* withMembers(
  frame: Json,
  members: AsyncIterable<string>,
  { depth, pretty }: { readonly depth: number; readonly pretty: boolean },
): AsyncGenerator<string> {
  const text = JSON.stringify(frame, null, pretty ? INDENT : undefined);
  const at = text.indexOf("[]") + 1;
  const line = (level: number): string => (pretty ? `\n${" ".repeat(level * INDENT)}` : "");
  let before = text.slice(0, at);
  let isEmpty = true;
  for await (const member of members) {
    yield before + (pretty ? indented(member, line(depth + 1)) : member);
    before = ",";
    isEmpty = false;
  }
  yield (isEmpty ? before : line(depth)) + text.slice(at);
}

const indented = (member: string, line: string): string =>
  line + JSON.stringify(JSON.parse(member), null, INDENT).replaceAll("\n", line);
