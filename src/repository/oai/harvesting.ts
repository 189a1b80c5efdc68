// Answers to harvesters (R31, R36; OAI-PMH 2.0 section 4), as data. Every record is checked against the database's rule
// of visibility before it is sent: where its row differs the row gets a new date, so that those who received it receive
// it again.
import { GUEST } from "../../auth/account.ts";
import type { ExportedRecord } from "../../formats/exported-record.ts";
import { STATUS_RIGHTS } from "../../model/access/openness.ts";
import { fileReading, mayListFiles } from "../../model/access/visibility.ts";
import { type Addresses, readOaiIdentifier } from "../../model/items/addresses.ts";
import type { Item, ItemContent } from "../../model/items/item.ts";
import { withImprint } from "../../model/metadata/imprint.ts";
import { publicMetadata } from "../../model/metadata/public-metadata.ts";
import type { ItemId, ParentId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import { exportedRecord } from "../exports/export-input.ts";
import type { Exporting } from "../store/exporting.ts";
import type { HarvestQuery, HarvestRecord, HarvestState, Second } from "../store/harvest.ts";
import type { ListArguments, ListVerb, OaiError, OaiErrorCode, OaiRequest, ReadRequest } from "./arguments.ts";
import { contentsOf, type DatingNeeds, viewsOf } from "./dating.ts";
import type { Follower } from "./follower.ts";
import { formatOf, OAI_FORMATS, type OaiFormat } from "./formats.ts";
import { agrees, factsOfGuest, type GuestView, slugsOf } from "./guest-view.ts";
import { earlierOf, laterBy, secondOf } from "./seconds.ts";
import { type OaiSet, readSets } from "./sets.ts";
import { type ListPlace, type Place, readToken, TOKEN_SECONDS, writeToken } from "./tokens.ts";

export type OaiRecord = {
  readonly identifier: string;
  readonly datestamp: Second;
  readonly sets: readonly string[];
  readonly isDeleted: boolean;
  /** Null of deleted records, and where only headers were requested. */
  readonly metadata: string | null;
};
/** `text` "": the end of a list of several answers. */
type OaiToken = {
  readonly text: string;
  readonly expires: Second | null;
  readonly size: number;
  readonly cursor: number;
};

export type OaiBody =
  | { readonly verb: "Identify"; readonly earliest: Second; readonly sample: string }
  | { readonly verb: "ListMetadataFormats"; readonly formats: readonly OaiFormat[] }
  | { readonly verb: "ListSets"; readonly sets: readonly OaiSet[]; readonly token: OaiToken | null }
  | { readonly verb: "GetRecord"; readonly record: OaiRecord }
  | { readonly verb: ListVerb; readonly records: readonly OaiRecord[]; readonly token: OaiToken | null };

export type OaiAnswer = {
  readonly responseDate: Second;
  /** Attributes of the `request` element. */
  readonly echo: readonly (readonly [string, string])[];
} & ({ readonly errors: readonly OaiError[] } | { readonly body: OaiBody });

export type HarvestingNeeds = DatingNeeds & {
  readonly follower: Follower;
  readonly addresses: Pick<Addresses, "baseUrl" | "landingPage" | "filePage" | "arkUrl" | "oaiHost" | "oaiIdentifier">;
  readonly repositoryName: string;
  readonly exporting: Exporting;
  /** Records of one answer. */
  readonly pageSize: number;
};

/** Sets of one answer. */
const SETS_AT_ONCE = 500;
/** An answer of more characters ends before its page does; one record is always sent. */
const ANSWER_CHARACTERS = 4_000_000;
/** How long a list waits until what was changed last is dated. What takes longer comes with the next harvest. */
const CATCH_UP_MS = 300;
/** Seconds after which a harvester may retry: the first list is complete by then. */
const RETRY_SECONDS = "20";

/** What the protocol has a word for. */
class OaiProblem extends Error {
  override readonly name = "OaiProblem";
  readonly errors: readonly OaiError[];

  constructor(...errors: readonly OaiError[]) {
    super(errors.map(({ message }) => message).join("; "));
    this.errors = errors;
  }
}
const problem = (code: OaiErrorCode, message: string): OaiProblem => new OaiProblem({ code, message });
const badToken = (): OaiProblem =>
  problem("badResumptionToken", "The resumptionToken is none of this list, was changed, or is older than a day");
const unknownRecord = (identifier: string): OaiError => ({
  code: "idDoesNotExist",
  message: `Record "${identifier.slice(0, 100)}" does not exist`,
});

const unknownFormat = (prefix: string): OaiProblem =>
  problem("cannotDisseminateFormat", `Format "${prefix.slice(0, 100)}" does not exist`);
const notReady = (): Refusal =>
  new Refusal("unavailable", "The list of records is being made; come back in a while", {
    headers: { "retry-after": RETRY_SECONDS },
  });

type PublishedItem = Item & { readonly content: ItemContent };

/** Items by their number, requested in the order in which they come; null for one without content. */
function inOrder(items: AsyncGenerator<Item, void, undefined>) {
  let ahead: Item | undefined;
  return async (id: ItemId): Promise<PublishedItem | null> => {
    if (ahead === undefined) {
      const next = await items.next();
      if (next.done !== true) ahead = next.value;
    }
    if (ahead?.id !== id) return null;
    const { content, ...item } = ahead;
    ahead = undefined;
    return content === null ? null : { ...item, content };
  };
}

export interface Harvesting {
  /** @throws Refusal unavailable while the first list is being made. */
  answer(read: ReadRequest): Promise<OaiAnswer>;
}

export class HarvestAnswers implements Harvesting {
  readonly #needs: HarvestingNeeds;
  readonly #store: HarvestingNeeds["store"];
  readonly #clock: HarvestingNeeds["clock"];
  readonly #dayOf: HarvestingNeeds["dayOf"];
  readonly #follower: HarvestingNeeds["follower"];
  readonly #addresses: HarvestingNeeds["addresses"];
  readonly #pageSize: HarvestingNeeds["pageSize"];
  readonly #harvest: HarvestingNeeds["store"]["harvest"];
  #known: { readonly key: string; readonly sets: readonly OaiSet[] } | null = null;

  constructor(needs: HarvestingNeeds) {
    this.#needs = needs;
    this.#store = needs.store;
    this.#clock = needs.clock;
    this.#dayOf = needs.dayOf;
    this.#follower = needs.follower;
    this.#addresses = needs.addresses;
    this.#pageSize = needs.pageSize;
    this.#harvest = this.#store.harvest;
  }

  async answer(read: ReadRequest): Promise<OaiAnswer> {
    const responseDate = secondOf(this.#clock.now());
    if ("errors" in read) return { responseDate, echo: [], errors: read.errors };
    const { echo } = read;
    try {
      const answer = await this.#bodyOf(read.request);
      return { echo, body: answer.body, responseDate: answer.responseDate ?? responseDate };
    } catch (error) {
      if (!(error instanceof OaiProblem)) throw error;
      return { responseDate, echo, errors: error.errors };
    }
  }

  #today(): string {
    return this.#dayOf(this.#clock.now());
  }

  async #readyState(): Promise<HarvestState> {
    const state = await this.#follower.state();
    if (state.ready) return state;
    // Of a small repository the first list is made at once.
    await this.#follower.catchUp(CATCH_UP_MS);
    const later = await this.#follower.state();
    if (!later.ready) throw notReady();
    return later;
  }

  /** Everything dated until now is sent from here on, and nothing will be dated before. */
  async #settle(): Promise<Second> {
    await this.#follower.catchUp(CATCH_UP_MS);
    return await this.#follower.close();
  }

  /** What guests see now of records that were shown to them. */
  async #seenOf(rows: readonly HarvestRecord[]): Promise<ReadonlyMap<number, GuestView | null>> {
    const shown = rows.filter(({ state }) => state === "shown");
    const seen = await viewsOf(
      this.#store,
      shown.map(({ parentId }) => parentId),
      this.#today(),
    );
    return new Map(shown.map(({ parentId }) => [parentId, seen.get(parentId)?.view ?? null]));
  }

  async #dateAgain(parentIds: readonly ParentId[]): Promise<void> {
    if (parentIds.length === 0) return;
    await this.#store.transact((tx) => tx.harvest.mark(parentIds, { content: false, again: true }));
  }

  #headerOf(row: HarvestRecord, view: GuestView | null): OaiRecord {
    return {
      identifier: this.#addresses.oaiIdentifier(row.number),
      datestamp: row.datestamp,
      sets: view?.sets ?? row.sets,
      isDeleted: view === null,
      metadata: null,
    };
  }

  #listedFiles({ access, files }: ItemContent): ItemContent["files"] {
    return mayListFiles(access, false, this.#today()) ? files : [];
  }

  /** The record as a guest may export it. */
  #exportedOf({ content, ...item }: PublishedItem, view: GuestView, row: HarvestRecord): ExportedRecord {
    const day = this.#today();
    const mayHave = fileReading(GUEST, factsOfGuest(content.access), day);
    const source = {
      item,
      content,
      privileged: false,
      accessStatus: view.accessStatus,
      today: day,
      replaces: view.replaces,
      isReplacedBy: view.isReplacedBy,
      isLatest: view.isReplacedBy === null,
      oai: this.#addresses.oaiIdentifier(row.number),
      communities: slugsOf(view).map((slug) => ({ slug, title: slug })),
      files: this.#listedFiles(content).map((file) => ({ file, readable: mayHave(file), isPublic: mayHave(file) })),
    };
    return exportedRecord(source, this.#needs);
  }

  #written(item: PublishedItem, view: GuestView, row: HarvestRecord, format: OaiFormat) {
    const { id, ark, content } = item;
    const disseminated = {
      metadata: withImprint(publicMetadata(content.metadata)),
      files: this.#listedFiles(content).map((file) => ({
        file,
        url: this.#addresses.filePage(id, file.name),
        hashed: false,
      })),
      landingPage: this.#addresses.landingPage(id),
      ark: ark === null ? null : this.#addresses.arkUrl(ark),
      accessRights: STATUS_RIGHTS[view.accessStatus],
      record: this.#exportedOf(item, view, row),
    };
    return format.write(disseminated, this.#needs.exporting);
  }

  /**
   * Rows as they are sent: what was hidden since is deleted. As many as fit into one answer; `format` null: headers
   * only.
   */
  async #recordsOf(rows: readonly HarvestRecord[], format: OaiFormat | null): Promise<readonly OaiRecord[]> {
    const views = await this.#seenOf(rows);
    const viewOf = ({ parentId }: HarvestRecord): GuestView | null => views.get(parentId) ?? null;
    const take = inOrder(
      contentsOf(this.#store, format === null ? [] : rows.flatMap((row) => viewOf(row)?.version ?? [])),
    );
    const records: OaiRecord[] = [];
    const changed: number[] = [];
    let left = ANSWER_CHARACTERS;
    for (const row of rows) {
      if (left <= 0) break;
      const view = viewOf(row);
      const header = this.#headerOf(row, view);
      const isShown = format !== null && view !== null;
      const item = isShown ? await take(view.version.id) : null;
      const metadata = isShown && item !== null ? await this.#written(item, view, row, format) : null;
      const isAsSeen = !isShown || item?.revision === view.version.revision;
      if (row.state === "shown" && !(agrees(row, view) && isAsSeen)) changed.push(row.parentId);
      records.push({ ...header, metadata, isDeleted: header.isDeleted || (isShown && item === null) });
      left -= metadata?.length ?? 0;
    }
    await this.#dateAgain(changed);
    return records;
  }

  async #tokenOf(place: Place, state: HarvestState, size: number, cursor: number): Promise<OaiToken> {
    const now = secondOf(this.#clock.now());
    const text = writeToken(place, Date.parse(now) / 1000, state.secret);
    return { text, expires: laterBy(now, TOKEN_SECONDS), size, cursor };
  }

  async #placeIn(text: string, state: HarvestState): Promise<Place> {
    const place = readToken(text, Date.parse(this.#clock.now()) / 1000, state.secret);
    if (place === null) throw badToken();
    return place;
  }

  /** The first request of the list, and where the list goes on. */
  async #resumed(verb: ListVerb, text: string): Promise<readonly [ListArguments, ListPlace]> {
    const place = await this.#placeIn(text, await this.#readyState());
    if (place.verb !== verb || formatOf(place.metadataPrefix) === undefined) throw badToken();
    return [place, place];
  }

  /** The records of one answer, one more where there is more, and how far the list reaches now. */
  async #stretch(list: ListArguments, before: ListPlace | null) {
    const { set, from, until } = list;
    const after = before === null ? null : { datestamp: before.datestamp, number: before.number };
    const upTo = (bound: Second): HarvestQuery => ({ set, from, until: bound, after });
    const cut = (closed: Second): Second => (until === null ? closed : earlierOf(until, closed));
    if (before !== null) {
      const rows = await this.#harvest.page(upTo(before.bound), this.#pageSize + 1);
      if (rows.length > this.#pageSize)
        return { rows, bound: before.bound, size: before.size, at: secondOf(this.#clock.now()) };
    }
    // The first answer, and the last one: what was changed while the list was sent follows at its end, so that a
    // harvester that comes back with the date of any of its answers misses nothing.
    const closed = await this.#settle();
    const bound = cut(closed);
    const rows = await this.#harvest.page(upTo(bound), this.#pageSize + 1);
    const left = rows.length > this.#pageSize ? await this.#harvest.count(upTo(bound)) : rows.length;
    return { rows, bound, size: (before?.cursor ?? 0) + left, at: closed };
  }

  async #page(verb: ListVerb, list: ListArguments, before: ListPlace | null) {
    const format = formatOf(list.metadataPrefix);
    if (format === undefined) throw unknownFormat(list.metadataPrefix);
    const state = await this.#readyState();
    const { rows, bound, size, at: responseDate } = await this.#stretch(list, before);
    if (rows.length === 0) throw problem("noRecordsMatch", "No record was changed in that time, in that set");
    const records = await this.#recordsOf(rows.slice(0, this.#pageSize), verb === "ListRecords" ? format : null);
    const [last, cursor] = [rows[records.length - 1], before?.cursor ?? 0];
    if (last === undefined || records.length === rows.length) {
      return { records, token: before === null ? null : { text: "", expires: null, size, cursor }, responseDate };
    }
    const place = {
      ...list,
      verb,
      bound,
      datestamp: last.datestamp,
      number: last.number,
      cursor: cursor + records.length,
      size,
    };
    return { records, token: await this.#tokenOf(place, state, size, cursor), responseDate };
  }

  /** Read again when the tree was changed, or the day; communities are few. */
  async #sets(): Promise<readonly OaiSet[]> {
    const communities = await this.#store.communities.communities();
    const key = JSON.stringify([await this.#store.indexes.treeRevision(), this.#today(), communities]);
    if (this.#known?.key !== key) this.#known = { key, sets: await readSets(this.#store, this.#today()) };
    return this.#known.sets;
  }

  async #listSets(token: string | null): Promise<OaiBody> {
    const state = await this.#follower.state();
    const place = token === null ? null : await this.#placeIn(token, state);
    if (place !== null && place.verb !== "ListSets") throw badToken();
    const all = await this.#sets();
    const start = place === null ? 0 : all.findIndex(({ spec }) => spec === place.after) + 1;
    // The set that the answer before ended with is deleted: its cursor counts those that were sent.
    const from = place !== null && start === 0 ? Math.min(place.cursor, all.length) : start;
    const page = all.slice(from, from + SETS_AT_ONCE);
    const [last, cursor] = [page.at(-1), place?.cursor ?? 0];
    if (last === undefined && place !== null) throw badToken();
    const isWhole = last === undefined || from + page.length >= all.length;
    if (isWhole) {
      const end = { text: "", expires: null, size: all.length, cursor };
      return { verb: "ListSets", sets: page, token: place === null ? null : end };
    }
    const next = { verb: "ListSets", after: last.spec, cursor: cursor + page.length } as const;
    return { verb: "ListSets", sets: page, token: await this.#tokenOf(next, state, all.length, cursor) };
  }

  /** The record of an identifier as it is now, dated where it was not yet; null where guests never saw one. */
  async #recordOf(identifier: string): Promise<HarvestRecord | null> {
    const number = readOaiIdentifier(this.#addresses.oaiHost, identifier);
    if (number === null) return null;
    const parentId = await this.#harvest.parentOf(number);
    if (parentId === null) return null;
    await this.#readyState();
    const [record, seen] = [await this.#harvest.record(number), await viewsOf(this.#store, [parentId], this.#today())];
    const { view = null, before = null } = seen.get(parentId) ?? {};
    if (record === null ? (view ?? before) === null : agrees(record, view)) return record;
    await this.#follower.look([parentId], false);
    return await this.#harvest.record(number);
  }

  async #getRecord(identifier: string, prefix: string): Promise<OaiBody> {
    const format = formatOf(prefix);
    const record = await this.#recordOf(identifier);
    if (record === null || format === undefined) {
      throw new OaiProblem(
        ...(record === null ? [unknownRecord(identifier)] : []),
        ...(format === undefined ? unknownFormat(prefix).errors : []),
      );
    }
    const [sent] = await this.#recordsOf([record], format);
    if (sent === undefined) throw new RangeError(`The record ${identifier} was not returned`);
    return { verb: "GetRecord", record: sent };
  }

  async #identify(): Promise<OaiBody> {
    const earliest = (await this.#harvest.earliest()) ?? (await this.#follower.state()).closed;
    return { verb: "Identify", earliest, sample: this.#addresses.oaiIdentifier(1) };
  }

  async #formats(identifier: string | null): Promise<OaiBody> {
    if (identifier !== null && (await this.#recordOf(identifier)) === null)
      throw new OaiProblem(unknownRecord(identifier));
    return { verb: "ListMetadataFormats", formats: OAI_FORMATS };
  }

  async #bodyOf(request: OaiRequest): Promise<{ readonly body: OaiBody; readonly responseDate?: Second }> {
    switch (request.verb) {
      case "Identify":
        return { body: await this.#identify() };
      case "ListMetadataFormats":
        return { body: await this.#formats(request.identifier) };
      case "ListSets":
        return { body: await this.#listSets(request.token) };
      case "GetRecord":
        return { body: await this.#getRecord(request.identifier, request.metadataPrefix) };
      case "ListIdentifiers":
      case "ListRecords": {
        const { verb } = request;
        const [list, place] =
          "list" in request ? ([request.list, null] as const) : await this.#resumed(verb, request.token);
        const { responseDate, ...page } = await this.#page(verb, list, place);
        return { body: { verb, ...page }, responseDate };
      }
    }
  }
}
