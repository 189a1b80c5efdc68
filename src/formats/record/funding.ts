// Funding in the tools' model: a funder and an award, each by its entry or in words (R3).
import type { Funding } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/own-entry.ts";
import { maybe } from "../../shared/without-undefined.ts";
import type { Entries } from "./entries.ts";
import { readIdents, showIdents } from "./identifiers.ts";
import { hasSameContent, type ListFormat } from "./keep.ts";
import { entryNames, readOrg, showOrg } from "./people.ts";
import { FAULT_MESSAGES, objectAt, type Reading, textAt } from "./reading.ts";
import { worded, wordingAt } from "./wordings.ts";

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

function readAward(sent: Json | undefined, path: string, to: Reading, old: Funding["award"]): Funding["award"] | null {
  const members = objectAt(sent, path, ["id", "number", "title", "identifiers", "acronym", "program"], to);
  if (members === null) return null;
  const id = textAt(own(members, "id"), `${path}.id`, to) ?? "";
  const entry = id === "" ? undefined : to.entries.get("awards", id);
  if (id !== "" && entry === undefined && id !== old?.id) to.fault(`${path}.id`, `Invalid value ${id.slice(0, 100)}.`);
  const number = textAt(own(members, "number"), `${path}.number`, to) || entry?.props.number || undefined;
  const [oldTitle, ...otherTitles] = old?.titles ?? [];
  const title = entry === undefined ? wordingAt(own(members, "title"), `${path}.title`, to, oldTitle) : null;
  if (id === "" && number === undefined && title === null) {
    to.fault(`${path}.award`, "An existing id or either number or title must be present.");
    return null;
  }
  const titles = entry === undefined ? (title === null ? [] : [title]) : entryNames(entry.title);
  const before = [...(old?.uri ? [{ scheme: "URI", value: old.uri }] : []), ...(old?.ids ?? [])];
  const idents = readIdents("awards", own(members, "identifiers"), before, `${path}.identifiers`, to);
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

export const FUNDING = (entries: Entries): ListFormat<Funding> => ({
  show({ funder, award }) {
    const shown = showOrg(funder, "funders");
    const awarded = showAward(award, entries);
    return shown === null && Object.keys(awarded).length === 0
      ? null
      : { ...(shown === null ? {} : { funder: shown }), ...awarded };
  },
  read(sent, path, to, before) {
    const members = objectAt(sent, path, ["funder", "award"], to);
    if (members === null) return null;
    const old = before?.value;
    const given = own(members, "funder");
    if (given === undefined) to.fault(`${path}.funder`, FAULT_MESSAGES.missing);
    const known = ["id", "name", "title", "country", "country_name", "identifiers", "props"];
    const org = objectAt(given, `${path}.funder`, known, to);
    const isFunder = old !== undefined && hasSameContent(given, showOrg(old.funder, "funders"));
    const at = { path: `${path}.funder`, vocabulary: "funders", member: "funder" };
    const funder = isFunder ? old.funder : org === null ? null : readOrg(org, at, to, old?.funder ?? null);
    const shownAward = old === undefined ? undefined : showAward(old.award, to.entries).award;
    const isAward = old !== undefined && hasSameContent(own(members, "award"), shownAward);
    const award = isAward
      ? old.award
      : (readAward(own(members, "award"), `${path}.award`, to, old?.award) ?? undefined);
    if (funder === null) return null;
    const stream = isFunder ? old.stream : undefined;
    return { funder, ...maybe("stream", stream), ...maybe("award", award) };
  },
});
