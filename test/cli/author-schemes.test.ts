// `arkstone author-scheme` and `arkstone author-language` next to a repository over the same database (R21), and the
// job that carries a change of an author in `arkstone jobs` (R23).
import { expect, test } from "bun:test";
import { arkstone } from "../support/command-line.ts";
import { anAgent } from "../support/world/authors.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true, authors: true });

const ark = (...args: string[]) =>
  arkstone({ SVC_DATABASE_URL: world.config.databaseUrl, SVC_DATA_DIR: world.folder }, args);
async function json(...args: string[]) {
  const { out } = await ark(...args, "--json");
  return JSON.parse(out);
}

test("R21 a scheme that is added by command is taken over HTTP at once, and goes when nobody has it", async () => {
  expect(await json("author-scheme", "set", "GND", "--url", "https://d-nb.info/gnd/##", "--form", "digits")).toEqual({
    id: "GND",
    url: "https://d-nb.info/gnd/##",
    form: "digits",
  });
  const author = await world.author({ authorIdInfo: [{ idType: "GND", authorId: "118" }] });
  const used = await ark("author-scheme", "remove", "GND");
  expect([used.code, used.err]).toEqual([
    1,
    expect.stringContaining(`author ${author.id} has an identifier of this scheme`),
  ]);
  await world.removeAuthor(author.id);
  expect((await ark("author-scheme", "remove", "GND")).out).toBe("Removed GND.\n");
  expect((await world.create({ authorIdInfo: [{ idType: "GND", authorId: "118" }] })).status).toBe(400);
  expect((await ark("author-scheme", "list")).out).toContain("https://orcid.org/##");
  const [first] = await json("author-scheme", "list", "--institution");
  expect(first).toEqual({ id: "ISNI", url: "http://www.isni.org/isni/##", form: "isni" });
});

test("R21 what cannot be set is refused in one line", async () => {
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [["author-scheme", "set", "X", "--form", "regex"], "form must be one of"],
    [["author-scheme", "set", "X", "--url", "ftp://x"], "url must be an http or https address"],
    [["author-scheme", "remove", "LOCAL"], "the repository's own numbering"],
    [["author-language", "add", "EN"], 'a language of authors "en" already'],
    [["author-language", "remove", "xx"], 'no language of authors "xx"'],
  ];
  for (const [args, words] of refusals) {
    const { code, err } = await ark(...args);
    expect([args.join(" "), code, err]).toEqual([args.join(" "), 1, expect.stringContaining(words)]);
  }
});

test("R21 a language is added and removed; names that have it stay", async () => {
  expect(await json("author-language", "add", "ja-Latn")).toEqual({ id: "ja-Latn" });
  await world.author({ authorNameInfo: [{ language: "ja-Latn", familyName: "Latn" }] });
  expect((await ark("author-language", "remove", "ja-Latn")).code).toBe(0);
  expect((await ark("author-language", "list")).out).not.toContain("ja-Latn");
  expect((await world.search({ familyname: "latn" })).text).toContain("ja-Latn");
});

test("R23 the job that carries a change is seen, and how far it is", async () => {
  const author = await world.author({ authorNameInfo: [{ language: "en", familyName: "Carried" }] });
  for (let at = 0; at < 3; at += 1) await world.publish(anAgent({ authorId: author.id }));
  await world.change(author, { emailInfo: [{ email: "c@example.org" }] });
  const list = () => json("jobs", "list", "--kind", "author_propagation");
  expect(await list()).toMatchObject([{ subject: String(author.id), state: "waiting", progress: "" }]);
  await world.runner().runDue();
  expect(await list()).toMatchObject([{ subject: String(author.id), state: "done", progress: "3 of 3 items" }]);
  expect((await ark("jobs", "list")).out).toContain("3 of 3 items");
});
