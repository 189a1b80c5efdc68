// Funding in the tools' model (R3): a funder and an award, each by its entry or in words.
import { RECORD_SENTENCES } from "../../model/input/record-refusals.ts";
import type { Funding } from "../../model/metadata/metadata.ts";
import { optional } from "../../shared/fields.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { maybe } from "../../shared/objects.ts";
import { IDENTIFIER_LISTS, readIdents, showIdents } from "./identifiers.ts";
import { hasSameContent, type ListFormat } from "./keep.ts";
import { entryNames, ORG, readOrg, showOrg } from "./people.ts";
import {
  ANSWERED,
  type Entries,
  line,
  listed,
  named,
  noEntry,
  opened,
  type RecordInput,
  shape,
} from "./record-input.ts";
import { WORDING, worded, wordingAt } from "./words.ts";

function showAward(award: Funding["award"], entries: Entries): JsonObject {
  if (award === undefined) return {};
  const [title] = award.titles.filter(({ value }) => value !== "");
  const { id = "", number = "", uri = "", ids = [] } = award;
  const idents = [...(uri === "" ? [] : [{ scheme: "URI", value: uri }]), ...ids];
  const shown = showIdents("awards", idents);
  const entry = id === "" ? undefined : entries.get("awards", id);
  const members = {
    ...(id === "" ? {} : { id }),
    ...(number === "" ? {} : { number }),
    ...(entry === undefined ? (title === undefined ? {} : { title: worded(title) }) : { title: entry.title }),
    ...(shown.length === 0 ? {} : { identifiers: shown }),
  };
  return Object.keys(members).length === 0 ? {} : { award: members };
}

const AWARD = named(
  "awards",
  shape(
    {
      id: optional(line({ about: { description: "Entry of the vocabulary awards" } })),
      number: optional(line()),
      title: WORDING,
      identifiers: IDENTIFIER_LISTS.awards,
      acronym: ANSWERED,
      program: ANSWERED,
    },
    { $id: "FundingAwardInput" },
  ),
);

function readAward(
  sent: Json | undefined,
  path: string,
  to: RecordInput,
  old: Funding["award"],
): Funding["award"] | null {
  const members = opened(AWARD, sent, path, to);
  if (members === null) return null;
  const id = members.read("id") ?? "";
  const entry = id === "" ? undefined : to.entries.get("awards", id);
  if (id !== "" && entry === undefined && id !== old?.id) to.fault(`${path}.id`, noEntry(id));
  const number = members.read("number") || entry?.props.number || undefined;
  const [oldTitle, ...otherTitles] = old?.titles ?? [];
  const title = entry === undefined ? wordingAt(members.sent("title"), members.at("title"), to, oldTitle) : null;
  if (id === "" && number === undefined && title === null) {
    to.fault(`${path}.award`, "An existing id or either number or title must be present.");
    return null;
  }
  const titles = entry === undefined ? (title === null ? [] : [title]) : entryNames(entry.title);
  const before = [...(old?.uri ? [{ scheme: "URI", value: old.uri }] : []), ...(old?.ids ?? [])];
  const idents = readIdents("awards", members.sent("identifiers"), before, members.at("identifiers"), to);
  const uri = idents.find(({ scheme }) => scheme === "URI")?.value ?? entry?.props.uri;
  const ids = idents.filter(({ scheme }) => scheme !== "URI");
  const isKnown = entry !== undefined || (id !== "" && id === old?.id);
  return {
    ...maybe("id", isKnown ? id : undefined),
    ...maybe("number", number),
    ...maybe("numberType", number !== undefined && number === old?.number ? old.numberType : undefined),
    ...maybe("uri", uri),
    ...(ids.length === 0 ? {} : { ids }),
    titles: title !== null && title === oldTitle ? [title, ...otherTitles] : titles,
  };
}

const FUNDER = named(
  "funders",
  shape(
    {
      ...ORG,
      title: ANSWERED,
      country: ANSWERED,
      country_name: ANSWERED,
      identifiers: ANSWERED,
      props: ANSWERED,
    },
    { $id: "FundingFunderInput" },
  ),
);
const FUND = shape({ funder: FUNDER, award: optional(AWARD) }, { $id: "FundingInput" });
export const FUNDING = optional(listed(FUND));

export const fundingFormat = (entries: Entries): ListFormat<Funding> => ({
  list: FUNDING,
  show({ funder, award }) {
    const shown = showOrg(funder, "funders");
    const awarded = showAward(award, entries);
    return shown === null && Object.keys(awarded).length === 0
      ? null
      : { ...(shown === null ? {} : { funder: shown }), ...awarded };
  },
  read(sent, path, to, before) {
    const members = opened(FUND, sent, path, to);
    if (members === null) return null;
    const old = before?.value;
    const given = members.sent("funder");
    if (given === undefined) to.fault(`${path}.funder`, RECORD_SENTENCES.missing);
    const org = opened(FUNDER, given, `${path}.funder`, to);
    const isFunder = old !== undefined && hasSameContent(given, showOrg(old.funder, "funders"));
    const at = { path: `${path}.funder`, vocabulary: "funders", member: "funder" };
    const funder = isFunder ? old.funder : org === null ? null : readOrg(org, at, to, old?.funder ?? null);
    const shownAward = old === undefined ? undefined : showAward(old.award, to.entries).award;
    const isAward = old !== undefined && hasSameContent(members.sent("award"), shownAward);
    const award = isAward
      ? old.award
      : (readAward(members.sent("award"), members.at("award"), to, old?.award) ?? undefined);
    if (funder === null) return null;
    const stream = isFunder ? old.stream : undefined;
    return { funder, ...maybe("stream", stream), ...maybe("award", award) };
  },
});
