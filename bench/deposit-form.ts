// What the form of a deposit costs on the server (R40, R42): the blank form and the form of a filled draft of the full
// item type, and a save as the script of the form makes it, durable, on SQLite. CPU is that of `arkstone repository` as
// the operating system counts it. bun bench/deposit-form.ts [--requests 200] [--json FILE]
import { parseArgs } from "node:util";
import { firstSetup } from "../test/support/first-repository.ts";
import {
  type Measurement,
  machineState,
  onDatabases,
  printMeasurements,
  type Server,
  startRole,
  timed,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({ options: { requests: { type: "string", default: "200" }, json: { type: "string" } } });
const REQUESTS = Number(values.requests);
const TYPE = 1;
/** Of the full item type: what many deposits fill in. */
const TITLE = "item_1617186331708";

type Browser = {
  readonly cookie: string;
  readonly csrf: string;
};

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

async function signIn({ port }: Server, token: string): Promise<Browser> {
  const address = `http://127.0.0.1:${port}/account/login`;
  const page = await fetch(address);
  const own = page.headers.getSetCookie().map((line) => line.split(";")[0]);
  const body = new URLSearchParams({ csrf: hidden(await page.text(), "csrf"), token, return_to: "/deposit" });
  const answer = await fetch(address, {
    method: "POST",
    body,
    headers: { cookie: own.join("; ") },
    redirect: "manual",
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => pair.startsWith("arkstone-session"))
    .join("; ");
  const form = await fetch(`http://127.0.0.1:${port}/deposit?type=${TYPE}`, { headers: { cookie } });
  return { cookie, csrf: hidden(await form.text(), "csrf") };
}

/** Every field of the item type with a value, as far as it can be guessed: texts, languages, days, first choices. */
function filled(html: string): URLSearchParams {
  const form = html.slice(html.indexOf("data-autosave"), html.indexOf("data-place"));
  const fields = new URLSearchParams();
  for (const [control, , name = ""] of form.matchAll(/<(input type="text"|textarea)[^>]* name="([^"]*)"[^>]*>/g)) {
    const isDay = form.includes(`id="${name}-hint">For example`);
    const isLanguage = control.includes(" list=");
    fields.set(name, isDay ? "2024-05-01" : isLanguage ? "en" : `Words of ${name}`);
  }
  for (const [, name = "", choices = ""] of form.matchAll(/<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs)) {
    const [, , written] = [...choices.matchAll(/<option(?: value="([^"]*)")?[^>]*>([^<]*)/g)][1] ?? [];
    const [, value] = /<option value="([^"]+)"/.exec(choices) ?? [];
    fields.set(name, choices.includes("<option>") ? (written ?? "") : (value ?? ""));
  }
  return fields;
}

async function measureAll(_database: string, _url: string, folder: string): Promise<Measurement[]> {
  const env = { SVC_RATE_PER_MINUTE: "0", SVC_FULL_TEXT: "0", SVC_ACCESS_LOG: "off", SVC_DATA_DIR: folder };
  const token = await firstSetup(env);
  const server = await startRole("repository", folder, env);
  try {
    const { cookie, csrf } = await signIn(server, token);
    const get = async (path: string): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie } });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status}`);
      return text;
    };
    const blank = `/deposit?type=${TYPE}`;
    const fields = filled(await get(blank));
    const save = async (path: string, more: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams([...Object.entries({ csrf, ...more }), ...fields]);
      const headers = { cookie, accept: "application/json" };
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: "POST", headers, body });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`POST ${path}: ${answer.status} ${text.slice(0, 300)}`);
      return JSON.parse(text) as { readonly id: number; readonly base: string };
    };
    let base = "";
    const edit = async (number: number, id: number): Promise<void> => {
      fields.set(`${TITLE}.0.subitem_1551255647225`, `On the tides of the ${number}th day`);
      base = (await save(`/deposit/${id}`, { base })).base;
    };
    fields.set(`${TITLE}.0.subitem_1551255647225`, "On tides");
    const made = await save("/deposit", { "item-type": `${TYPE}` });
    base = made.base;
    // Once for the compiler of the runtime.
    for (let number = 0; number < REQUESTS / 4; number += 1) {
      await get(blank);
      await edit(number, made.id);
    }
    return [
      await timed(server, "blank form", REQUESTS, 1, async () => void (await get(blank))),
      await timed(server, "form of a draft", REQUESTS, 1, async () => void (await get(`/deposit/${made.id}`))),
      await timed(server, "a save by the script", REQUESTS, 1, (number) => edit(REQUESTS + number, made.id)),
    ];
  } finally {
    await server.stop();
  }
}

const machine = await machineState();
const results = await onDatabases("sqlite", measureAll);
process.stdout.write(`${machine.line}Full item type; one connection, durable, SQLite\n`);
printMeasurements(results);
writeJson(values.json, "deposit-form", results, machine.figures);
