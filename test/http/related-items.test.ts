// Items here that are related to an item (R19a): by DOI, ARK and address, in both directions, and those of the same
// journal, on both databases; for everybody what they may see.
import { beforeAll, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { METADATA, recordCalls } from "../support/record-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Related = readonly [type: string, scheme: string, identifier: string];

onEachDatabase("items that are related", (database) => {
  const world = setUpWorld({ repository: { env: { SVC_RATE_PER_MINUTE: "0" } }, database });
  const calls = recordCalls(world);
  const titles = new Map<string, string>();

  /** Publishes a record; `more`: of its metadata. */
  async function published(title: string, related: readonly Related[], more: object = {}, record = "public") {
    const related_identifiers = related.map(([id, scheme, identifier]) => ({
      ...{ identifier, scheme, relation_type: { id }, resource_type: { id: "dataset" } },
    }));
    const { custom_fields = {}, ...metadata } = more as { readonly custom_fields?: object };
    const id = await calls.published("registered", {
      metadata: { ...METADATA, title, related_identifiers, ...metadata },
      ...{ files: { enabled: false }, access: { record, files: "public" }, custom_fields },
    });
    titles.set(id, title);
    return id;
  }
  /** The groups of the page: heading, count, titles. */
  async function groups(who: Who, id: string) {
    // A page does not wait for the index, a search does.
    await world.ask(who, "GET", "/api/records?size=1");
    const { text } = await world.ask(who, "GET", `/records/${id}`);
    const [, section = ""] = text.split('<h2 id="relations">');
    const [own = ""] = section.split("<h2");
    return own
      .split("<h3 ")
      .slice(1)
      .map((part) => [
        /^id="related-\w+">([^<]*) </.exec(part)?.[1],
        Number(/\((\d+)\)/.exec(part)?.[1]),
        [...part.matchAll(/class="what" href="[^"]*\/records\/(\d+)"/g)]
          .map(([, found]) => titles.get(found ?? ""))
          .sort(),
      ]);
  }
  const DOI = "10.5072/whole";
  let [whole, part, citing, hidden, paper] = ["", "", "", "", ""];
  let [address, ark] = ["", ""];

  beforeAll(async () => {
    whole = await published("The whole", [], { identifiers: [{ scheme: "doi", identifier: DOI }] });
    const { json } = await calls.call("registered", "GET", `/${whole}`);
    address = json.links.self_html ?? "";
    ark = json.pids.ark?.identifier ?? "";
    part = await published("A part", [["ispartof", "url", address]]);
    citing = await published("It cites", [
      ["cites", "doi", `https://doi.org/${DOI.toUpperCase()}`],
      ["references", "doi", "10.5072/elsewhere"],
    ]);
    hidden = await published("It cites in secret", [["cites", "doi", DOI]], {}, "restricted");
    paper = await published("A supplement", [["issupplementto", "ark", ark]]);
  });

  test("Q.45 are listed at both ends, whether they are named by DOI, ARK or address", async () => {
    expect(await groups(null, whole)).toEqual([
      ["Parts", 1, ["A part"]],
      ["Supplemented by", 1, ["A supplement"]],
      ["Cited by", 1, ["It cites"]],
    ]);
    expect(await groups(null, part)).toEqual([["Part of", 1, ["The whole"]]]);
    expect(await groups(null, citing)).toEqual([["Cites", 1, ["The whole"]]]);
    expect(await groups(null, paper)).toEqual([["Supplements", 1, ["The whole"]]]);
  });

  test("Q.45 what a reader may not see is neither listed nor counted", async () => {
    expect(await groups("registered", whole)).toContainEqual(["Cited by", 2, ["It cites", "It cites in secret"]]);
    expect(await groups("registered", hidden)).toEqual([["Cites", 1, ["The whole"]]]);
    expect(await groups(null, whole)).toContainEqual(["Cited by", 1, ["It cites"]]);
    expect(await groups("other", whole)).toContainEqual(["Cited by", 1, ["It cites"]]);
  });

  test("Q.45 five of many are listed with the count of all; those of the same journal come last", async () => {
    const journal = { custom_fields: { "journal:journal": { title: "Tides Quarterly", volume: "1" } } };
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) made.push(await published(`Article ${at}`, [], journal));
    await published("Another journal", [], { custom_fields: { "journal:journal": { title: "Winds" } } });
    const [[name, count, listed] = []] = await groups(null, made[0] ?? "");
    expect([name, count]).toEqual(["In the same journal or series", 6]);
    expect(listed).toHaveLength(5);
    expect(listed).not.toContain("Article 0");
    const { text } = await world.ask(null, "GET", `/records/${made[0]}`);
    expect(text).toContain("and 1 more item");
  });

  test("Q.45 an item that names itself, its own versions or what is not here has no such part", async () => {
    const alone = await published("Alone", [["cites", "doi", "10.5072/nothing"]]);
    expect(await groups(null, alone)).toEqual([]);
    const self = await published("Itself", [["cites", "doi", "10.5072/self"]], {
      identifiers: [{ scheme: "doi", identifier: "10.5072/self" }],
    });
    expect(await groups(null, self)).toEqual([]);
  });
});
