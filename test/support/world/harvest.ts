// The list for harvesters over a world of items (items-world.ts): its follower, its answers, a harvester that
// remembers, and the truth it is held against.
import { platformRandom } from "../../../src/adapters/random.ts";
import { GUEST } from "../../../src/auth/account.ts";
import { mayReadRecord } from "../../../src/model/access/visibility.ts";
import { addressesUnder } from "../../../src/model/items/addresses.ts";
import { readArguments } from "../../../src/repository/oai/arguments.ts";
import { oaiDocument } from "../../../src/repository/oai/document.ts";
import { HarvestFollower } from "../../../src/repository/oai/follower.ts";
import { HarvestAnswers } from "../../../src/repository/oai/harvesting.ts";
import { dayIn } from "../../../src/shared/time/day.ts";
import { addMilliseconds } from "../../../src/shared/time/instant.ts";
import { textOf } from "../../../src/shared/xml/element.ts";
import { type OaiRead, type ReadRecord, readOai } from "../oai-answers.ts";
import { itemsWorld } from "./items.ts";

export const addresses = addressesUnder({ base: "https://repo.example.org", resolver: "https://ark.example.org" });
const DESCRIBED = {
  baseUrl: addresses.oai,
  name: "Test",
  host: addresses.oaiHost,
  adminMail: "oai@example.org",
  abstract: "",
  collectionPolicy: { url: null, text: "" },
  treatment: { url: null, text: "" },
};

type Options = { readonly url?: string; readonly pageSize?: number; readonly timeZone?: string };

export type HarvestWorld = Awaited<ReturnType<typeof harvestWorld>>;

export async function harvestWorld({ url, pageSize = 3, timeZone = "UTC" }: Options = {}) {
  const world = await itemsWorld({ ...(url === undefined ? {} : { url }), timeZone, arks: false });
  const { store, time } = world;
  const clock = { now: () => time.now };
  const dayOf = (at: string): string => dayIn(timeZone, at);
  const dating = { store, clock, dayOf };
  const followerHere = () => new HarvestFollower({ ...dating, random: platformRandom(), log: { info: () => {} } });
  const follower = followerHere();
  const answers = (size: number, isBlind: boolean) => {
    const own = followerHere();
    if (isBlind) own.catchUp = async () => {};
    return new HarvestAnswers({
      ...dating,
      follower: own,
      addresses,
      repositoryName: "Example Repository",
      exporting: { write: () => Promise.reject(new Error("No item here is long")) },
      pageSize: size,
    });
  };
  let endpoint = answers(pageSize, false);

  async function ask(query: string): Promise<OaiRead> {
    return readOai(oaiDocument(await endpoint.answer(readArguments(new URLSearchParams(query))), DESCRIBED));
  }

  /** A list whole, from its first answer to its last; `between` is done behind each answer but the last. */
  async function harvest(query: string, between: () => Promise<void> = async () => {}) {
    const [verb = ""] = query.split("&");
    const pages: OaiRead[] = [await ask(query)];
    for (
      let page = pages[0];
      page?.token !== null && page?.token !== undefined && page.token !== "";
      page = pages.at(-1)
    ) {
      await between();
      pages.push(await ask(`${verb}&resumptionToken=${encodeURIComponent(page.token)}`));
    }
    return { pages, records: pages.flatMap(({ records }) => records) };
  }

  /** What guests see of everything now, by the rule itself: identifier to title, null where nothing is harvested. */
  async function truth(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let after = 0; ; ) {
      const ids = await store.harvest.parentsAfter(after, 100);
      for (const id of ids) {
        const versions = await store.items.versions(id);
        const parent = await store.items.parent(id);
        const [first] = versions;
        for (const item of versions.toReversed()) {
          if (item.content === null || parent === null || first === undefined) continue;
          const lineages = await Promise.all(item.content.indexes.map((index) => store.indexes.lineage(index)));
          const facts = { ...parent, state: item.state, access: item.content.access, lineages };
          const today = dayOf(time.now);
          const open = lineages.filter(
            (lineage) =>
              lineage.every(({ harvestPublicState }) => harvestPublicState) &&
              mayReadRecord(GUEST, { ...facts, lineages: [lineage] }, today),
          );
          if (!mayReadRecord(GUEST, facts, today) || (lineages.length > 0 && open.length === 0)) continue;
          const sets = new Set(open.flatMap((lineage) => lineage.map((index) => `index:${index.id}`)));
          found.set(
            addresses.oaiIdentifier(first.id),
            `${item.content.metadata.titles[0]?.value} ${[...sets].sort().join(" ")}`,
          );
          break;
        }
      }
      const last = ids.at(-1);
      if (last === undefined) return found;
      after = last;
    }
  }

  return {
    ...world,
    follower,
    /** As another process has one. */
    anotherFollower: followerHere,
    ask,
    harvest,
    truth,
    /** Another process answers from here on; a blind one leaves it to others to follow the repository. */
    restart({ size = pageSize, isBlind = false } = {}): void {
      endpoint = answers(size, isBlind);
    },
    /** Time goes on. */
    pass(milliseconds: number): void {
      time.now = addMilliseconds(time.now, milliseconds);
    },
  };
}

/** Title and sets of a record, as `truth` words them. */
export function saidBy({ metadata, sets }: ReadRecord): string {
  const titles =
    metadata === null ? [] : metadata.children.filter((each) => typeof each !== "string" && each.name === "title");
  const [first] = titles;
  const indexes = sets.filter((spec) => spec.startsWith("index:"));
  return `${first === undefined || typeof first === "string" ? "" : textOf(first)} ${indexes.join(" ")}`;
}
