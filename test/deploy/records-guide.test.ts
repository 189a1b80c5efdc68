// What people copy out of docs/records.md: every command of it is asked of a repository in its order, and answered with
// the status next to it (R37).
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setUpWorld } from "../support/world.ts";

const GUIDE = join(import.meta.dirname, "..", "..", "docs", "records.md");

const world = setUpWorld({ repository: true });

type Command = { readonly text: string; readonly status: number };

/** Each command with the status it is to have, which follows it. */
function commandsIn(guide: string): readonly Command[] {
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block.split(/^(?=curl )/m).map((text) => ({ text, status: Number(/# (\d{3})\s*$/.exec(text)?.[1]) })),
  );
}

/** The words of a command as a shell takes them apart. */
const wordsOf = (command: string): readonly string[] =>
  [...command.matchAll(/'([^']*)'|"([^"]*)"|(#.*)|([^\s'"]+)/g)].flatMap(([, single, double, remark, bare]) =>
    remark === undefined ? [single ?? double ?? bare ?? ""] : [],
  );

function requestOf(command: string) {
  const headers: Record<string, string> = {};
  let [method, url, body]: [string | null, string, string | null] = [null, "", null];
  const words = wordsOf(command).slice(1);
  for (let at = 0; at < words.length; at += 1) {
    const [word = "", next = ""] = words.slice(at);
    if (word.startsWith("-")) at += 1;
    if (word === "-X") method = next;
    else if (word === "-H") headers[next.split(":")[0] ?? ""] = next.slice(next.indexOf(":") + 1).trim();
    else if (word === "--json") [body, headers["content-type"]] = [next, "application/json"];
    else url = word;
  }
  const { pathname, search } = new URL(url);
  return { method: method ?? (body === null ? "GET" : "POST"), path: pathname + search, headers, body };
}

test("R37 every command of the guide of records does what is next to it", async () => {
  const commands = commandsIn(readFileSync(GUIDE, "utf8"));
  expect(commands.length).toBeGreaterThan(20);
  const known: Record<string, string> = {
    $TOKEN: world.people.registered.token,
    $ADMIN: world.people.admin.token,
    $ID: "",
  };
  for (const { text, status } of commands) {
    const { method, path, ...asked } = requestOf(text.replace(/\$[A-Z]+/g, (name) => known[name] ?? name));
    const answer = await world.ask(null, method, path, asked);
    expect([text, answer.status, answer.status === status ? "" : answer.text]).toEqual([text, status, ""]);
    // A record that was made is the one the next commands are about, and a link the one they ask with.
    const { id, token } = status === 201 ? answer.json : {};
    if (typeof token === "string") known.$SECRET = token;
    else if (typeof id === "string") known.$ID = id;
  }
});
