// The parts of a JPCOAR record that recur, from the canonical model: agents, organisations, subjects, rights,
// descriptions, files.

import { shownFileName } from "../../model/files/file-names.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { rightAddress } from "../../model/metadata/licenses.ts";
import type {
  AccessRights,
  Agent,
  AgentName,
  Description,
  Ident,
  Org,
  Right,
  Subject,
} from "../../model/metadata/metadata.ts";
import { ACCESS_RIGHTS, accessRightsLabel } from "../../model/rights/access-rights.ts";
import { htmlToText } from "../../shared/html/html-text.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import type { XmlElement } from "../../shared/xml/element.ts";
import {
  CONTRIBUTOR_TYPES,
  DATE_TYPES,
  DESCRIPTION_TYPES,
  IDENTIFIER_TYPES,
  NAME_SCHEMES,
  OBJECT_TYPES,
  SUBJECT_SCHEMES,
} from "./choices.ts";
import {
  choose,
  clean,
  element,
  type Notes,
  named,
  optional,
  optionalUri,
  resolvable,
  textElement,
  textElements,
  uriText,
} from "./elements.ts";
import { shown } from "./nodes.ts";
import { isDate } from "./text-rules.ts";

/** Mail addresses of agents are never printed. */
type AgentElement = "jpcoar:creator" | "jpcoar:contributor";

function nameIdentifiers(ids: readonly Ident[], notes: Notes): XmlElement[] {
  return ids.flatMap((ident) => {
    const scheme = choose(NAME_SCHEMES, ident.scheme);
    if (scheme === null) {
      notes.add(`JPCOAR 2.0 has no scheme for the name identifier ${named(ident)}`);
      return [];
    }
    const uri = optionalUri(ident.uri, "name identifier's address", notes);
    return [
      element("jpcoar:nameIdentifier", { nameIdentifierScheme: scheme, nameIdentifierURI: uri }, [
        clean(ident.value, notes),
      ]),
    ];
  });
}

/** An organisation under its element; null when it has no name and no identifier. */
export function writeOrg(name: string, nameElement: string, org: Org, notes: Notes): XmlElement | null {
  const parts = [...nameIdentifiers(org.ids, notes), ...textElements(nameElement, org.names, notes)];
  return parts.length === 0 ? null : element(name, {}, parts);
}

/** The name as one string: as written, else "Family, Given". */
export function fullName(name: AgentName): string {
  return name.full ?? [name.family, name.given].filter((part) => part !== undefined && part !== "").join(", ");
}

function nameElements(agent: Agent, element_: AgentElement, notes: Notes): XmlElement[] {
  const nameType = agent.kind === null ? undefined : agent.kind === "organizational" ? "Organizational" : "Personal";
  const of = (name: string, member: (each: AgentName) => string | undefined, type?: string): XmlElement[] =>
    agent.names.flatMap((each) => {
      const value = member(each) ?? "";
      const text = { value, ...(each.lang === undefined ? {} : { lang: each.lang }) };
      return value === "" ? [] : [textElement(name, text, notes, { nameType: type })];
    });
  return [
    ...of(`${element_}Name`, fullName, nameType),
    ...of("jpcoar:familyName", (each) => each.family),
    ...of("jpcoar:givenName", (each) => each.given),
  ];
}

export function writeAgent(name: AgentElement, agent: Agent, notes: Notes): XmlElement | null {
  const role =
    name === "jpcoar:creator"
      ? { creatorType: agent.role === undefined || agent.role === "" ? undefined : clean(agent.role, notes) }
      : { contributorType: optional(CONTRIBUTOR_TYPES, agent.role, "contributor type", notes) };
  const parts = [
    ...nameIdentifiers(agent.ids, notes),
    ...nameElements(agent, name, notes),
    ...textElements(`${name}Alternative`, agent.alternatives, notes),
    ...agent.affiliations.map((org) => writeOrg("jpcoar:affiliation", "jpcoar:affiliationName", org, notes)),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : element(name, role, parts);
}

export function writeRightsHolder(agent: Agent, notes: Notes): XmlElement | null {
  if (agent.affiliations.length > 0) notes.add("JPCOAR 2.0 has no place for affiliations of a rights holder");
  const names = agent.names.map((name) => ({
    value: fullName(name),
    ...(name.lang === undefined ? {} : { lang: name.lang }),
  }));
  const all = [...names, ...agent.alternatives];
  return writeOrg("jpcoar:rightsHolder", "jpcoar:rightsHolderName", { names: all, ids: agent.ids }, notes);
}

export function writeSubject(subject: Subject, notes: Notes): XmlElement | null {
  const uri = optionalUri(subject.uri, "subject's address", notes);
  const text = subject.text ?? { value: "" };
  if (text.value === "" && uri === undefined) {
    notes.add(`The subject "${shown(subject.id ?? "")}" has neither words nor an address and is left out`);
    return null;
  }
  const scheme = choose(SUBJECT_SCHEMES, subject.scheme);
  if (scheme === null && subject.scheme !== undefined && subject.scheme !== "") {
    notes.add(`The subject scheme "${shown(subject.scheme)}" is not in JPCOAR 2.0 and is printed as Other`);
  }
  return textElement("jpcoar:subject", text, notes, { subjectScheme: scheme ?? "Other", subjectURI: uri });
}

export function writeDescription(description: Description, notes: Notes): XmlElement | null {
  const kind = choose(DESCRIPTION_TYPES, description.kind);
  if (kind === null) {
    notes.add(`The description type "${shown(description.kind)}" is not in JPCOAR 2.0 and is printed as Other`);
  }
  if (description.html) notes.add("Markup in descriptions is left out");
  const value = description.html ? htmlToText(description.value) : description.value;
  if (value === "") return null;
  return textElement("datacite:description", { ...description, value }, notes, { descriptionType: kind ?? "Other" });
}

/** One dc:rights for each wording, all with the licence's address. */
export function writeRight(right: Right, notes: Notes): XmlElement[] {
  const address = rightAddress(right) ?? undefined;
  const uri = optionalUri(address, "licence's address", notes);
  if (right.text.length > 0)
    return right.text.map((text) => textElement("dc:rights", text, notes, { "rdf:resource": uri }));
  if (uri !== undefined) return [element("dc:rights", { "rdf:resource": uri }, [])];
  return right.id === undefined ? [] : [element("dc:rights", {}, [clean(right.id, notes)])];
}

/** As stated; a label outside the vocabulary is noted and left out. */
export function writeAccessRights(rights: AccessRights, notes: Notes): XmlElement | null {
  const label = accessRightsLabel(rights.label, rights.uri);
  if (label === null) {
    notes.add(`The access rights "${shown(rights.label)}" are not in JPCOAR 2.0 and are left out`);
    return null;
  }
  const uri = optionalUri(rights.uri, "access rights' address", notes) ?? ACCESS_RIGHTS[label];
  return element("dcterms:accessRights", { "rdf:resource": uri }, [label]);
}

/**
 * jpcoar:identifier of an identifier, null when its scheme has no place there: DOIs and handles become addresses, other
 * schemes are printed as URI when they have an address.
 */
export function writeIdentifier(ident: Ident, notes: Notes): XmlElement | null {
  const type = choose(IDENTIFIER_TYPES, ident.scheme);
  const value = ident.value === "" ? (ident.uri ?? "") : ident.value;
  const address =
    type === null ? (ident.uri ?? (/^(?:https?|ark|urn|info):/i.test(value) ? value : "")) : resolvable(type, value);
  const uri = address === "" ? null : uriText(address);
  if (uri === null || uri === "") {
    notes.add(`The identifier ${named(ident)} has no place in JPCOAR 2.0`);
    return null;
  }
  return element("jpcoar:identifier", { identifierType: type ?? "URI" }, [uri]);
}

/** datacite:date when type and form allow it; the caller handles the rest. */
export function writeTypedDate(date: { readonly date: string; readonly type: string }): XmlElement | null {
  const type = choose(DATE_TYPES, date.type);
  const text = date.date.trim();
  return type === null || !isDate(text) ? null : element("datacite:date", { dateType: type }, [text]);
}

/** One file of a record. `url` is where it is downloaded; texts are printed as they are. */
export type JpcoarFile = {
  readonly url: string;
  readonly label?: string;
  readonly objectType?: string;
  readonly mimeType: string | null;
  readonly sizeBytes: number | null;
  /** Sizes in words; printed instead of `sizeBytes` when there are any. */
  readonly extents?: readonly string[];
  readonly dates?: readonly { readonly date: string; readonly type: string }[];
  readonly version?: string;
};

/** A file of an item as its record describes it. `url` is the address at which we serve it. */
export function jpcoarFileOf(file: ItemFile, url: string): JpcoarFile {
  const { label, objectType, extents, dates, version } = file;
  return {
    url,
    label: label ?? shownFileName(file.name),
    mimeType: file.mediaType,
    sizeBytes: file.sizeBytes,
    ...withoutUndefined({ objectType, extents, dates, version }),
  };
}

export function writeFile(file: JpcoarFile, notes: Notes): XmlElement {
  const uri = file.url === "" ? null : uriText(file.url);
  if (uri === null && file.url !== "")
    notes.add(`The address of a file "${shown(file.url)}" is not an address and is left out`);
  const objectType = optional(OBJECT_TYPES, file.objectType, "object type of a file", notes);
  const label = file.label === undefined ? undefined : clean(file.label, notes);
  const size = file.sizeBytes === null ? [] : [`${file.sizeBytes} bytes`];
  const extents = file.extents === undefined || file.extents.length === 0 ? size : file.extents;
  const dates = (file.dates ?? []).map((date) => {
    const printed = writeTypedDate(date);
    if (printed === null)
      notes.add(`The date "${shown(date.date)}" (${shown(date.type)}) of a file has no place in JPCOAR 2.0`);
    return printed;
  });
  return element("jpcoar:file", {}, [
    uri === null && objectType === undefined && label === undefined
      ? null
      : element("jpcoar:URI", { objectType, label }, [uri ?? ""]),
    file.mimeType === null || file.mimeType === ""
      ? null
      : element("jpcoar:mimeType", {}, [clean(file.mimeType, notes)]),
    ...extents.map((extent) => element("jpcoar:extent", {}, [clean(extent, notes)])),
    ...dates,
    file.version === undefined || file.version === ""
      ? null
      : element("datacite:version", {}, [clean(file.version, notes)]),
  ]);
}
