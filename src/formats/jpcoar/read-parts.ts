// The parts of a JPCOAR record that recur: agents, organisations, identifiers, subjects, rights, descriptions, files.

import type { FileClaim } from "../../model/files/described-package.ts";
import { licenseIdOf } from "../../model/metadata/licenses.ts";
import type {
  AccessRights,
  Agent,
  AgentName,
  Description,
  Ident,
  Org,
  Right,
  Subject,
  Text,
} from "../../model/metadata/metadata.ts";
import { accessRightsLabel } from "../../model/rights/access-rights.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { all, maybe, type Node, one, texts, token, tokens, toText, words } from "./nodes.ts";

/** An identifier with its scheme in an attribute; null when it is empty. */
export function readIdent(
  node: Node | undefined,
  schemeName: string,
  uriName?: string,
  schemeUriName?: string,
): Ident | null {
  const value = token(node);
  const uri = uriName === undefined ? undefined : node?.attributes[uriName]?.trim();
  if (node === undefined || (value === "" && (uri ?? "") === "")) return null;
  return {
    scheme: node.attributes[schemeName]?.trim() ?? "",
    value,
    ...maybe("uri", uri),
    ...maybe("schemeUri", schemeUriName === undefined ? undefined : node.attributes[schemeUriName]?.trim()),
  };
}

/** All identifiers of a name. */
export function readIdents(node: Node | undefined, name: string, schemeName: string, uriName?: string): Ident[] {
  return all(node, name)
    .map((child) => readIdent(child, schemeName, uriName))
    .filter((ident) => ident !== null);
}

const nameIdentifiers = (node: Node): Ident[] =>
  readIdents(node, "jpcoar:nameIdentifier", "nameIdentifierScheme", "nameIdentifierURI");

/** An organisation: its identifiers, and its names under the element name that its kind has. */
export function readOrg(node: Node, nameElement: string): Org {
  return { names: texts(node, nameElement), ids: nameIdentifiers(node) };
}

/**
 * Names, family names and given names of one agent. The schema lists them apart; the n-th of each in one language
 * belong together.
 */
function readNames(node: Node, fullName: string): AgentName[] {
  const names = new Map<string, { full?: string; family?: string; given?: string; lang?: string }>();
  const take = (element: string, member: "full" | "family" | "given"): void => {
    const counts = new Map<string, number>();
    for (const text of texts(node, element)) {
      const lang = text.lang ?? "";
      const count = (counts.get(lang) ?? 0) + 1;
      counts.set(lang, count);
      const key = `${lang} ${count}`;
      const name = names.get(key) ?? {};
      names.set(key, { ...name, [member]: text.value, ...maybe("lang", text.lang) });
    }
  };
  take(fullName, "full");
  take("jpcoar:familyName", "family");
  take("jpcoar:givenName", "given");
  return [...names.values()];
}

type AgentElements = { readonly name: string; readonly alternative: string; readonly role: string };
const CREATOR: AgentElements = {
  name: "jpcoar:creatorName",
  alternative: "jpcoar:creatorAlternative",
  role: "creatorType",
};
const CONTRIBUTOR: AgentElements = {
  name: "jpcoar:contributorName",
  alternative: "jpcoar:contributorAlternative",
  role: "contributorType",
};

function readAgent(node: Node, elements: AgentElements): Agent {
  const types = all(node, elements.name).map((name) => name.attributes.nameType?.trim());
  const kind = types.includes("Organizational") ? "organizational" : types.includes("Personal") ? "personal" : null;
  return {
    kind,
    names: readNames(node, elements.name),
    alternatives: texts(node, elements.alternative),
    ids: nameIdentifiers(node),
    emails: [],
    affiliations: all(node, "jpcoar:affiliation").map((each) => readOrg(each, "jpcoar:affiliationName")),
    ...maybe("role", node.attributes[elements.role]?.trim()),
  };
}

export function readCreator(node: Node): Agent {
  return readAgent(node, CREATOR);
}

export function readContributor(node: Node): Agent {
  return readAgent(node, CONTRIBUTOR);
}

export function readRightsHolder(node: Node): Agent {
  const { names, ids } = readOrg(node, "jpcoar:rightsHolderName");
  return {
    kind: null,
    names: names.map(({ value, lang }) => ({ full: value, ...maybe("lang", lang) })),
    alternatives: [],
    ids,
    emails: [],
    affiliations: [],
  };
}

export function readSubject(node: Node): Subject {
  const text = toText(node);
  return {
    ...(text.value === "" ? {} : { text }),
    ...maybe("scheme", node.attributes.subjectScheme?.trim()),
    ...maybe("uri", node.attributes.subjectURI?.trim()),
  };
}

export function readDescription(node: Node): Description {
  return { ...toText(node), kind: node.attributes.descriptionType?.trim() ?? "Other", html: false };
}

/** dc:rights one after the other that name one address in different languages are one right. */
export function readRights(nodes: readonly Node[]): Right[] {
  const rights: (Right & { text: Text[] })[] = [];
  /** Of the last one. */
  let languages = new Set<string | undefined>();
  for (const node of nodes) {
    const text = toText(node);
    const uri = node.attributes["rdf:resource"]?.trim() ?? "";
    const before = rights.at(-1);
    const isFurther = before !== undefined && !languages.has(text.lang);
    if (isFurther && uri !== "" && before.uri === uri && text.value !== "") {
      before.text.push(text);
      languages.add(text.lang);
    } else if (text.value !== "" || uri !== "") {
      rights.push({
        ...maybe("id", licenseIdOf(uri) ?? undefined),
        text: text.value === "" ? [] : [text],
        ...maybe("uri", uri),
      });
      languages = new Set(text.value === "" ? [] : [text.lang]);
    }
  }
  return rights;
}

export function readAccessRights(node: Node | undefined): AccessRights | undefined {
  const uri = node?.attributes["rdf:resource"]?.trim();
  const label = accessRightsLabel(token(node), uri) ?? token(node);
  return label === "" ? undefined : { label, ...maybe("uri", uri) };
}

type ReadFile = {
  readonly uri: string;
  readonly objectType?: string;
  readonly label?: string;
  readonly mimeType?: string;
  readonly extents?: readonly string[];
  readonly dates?: readonly { readonly date: string; readonly type: string }[];
  readonly version?: string;
};

export function readFile(node: Node): ReadFile {
  const address = one(node, "jpcoar:URI");
  const extents = all(node, "jpcoar:extent")
    .map(words)
    .filter((extent) => extent !== "");
  const dates = all(node, "datacite:date")
    .map((date) => ({ date: token(date), type: date.attributes.dateType?.trim() ?? "" }))
    .filter(({ date }) => date !== "");
  return {
    uri: token(address),
    ...maybe("objectType", address?.attributes.objectType?.trim()),
    ...maybe("label", address?.attributes.label),
    ...maybe("mimeType", token(one(node, "jpcoar:mimeType"))),
    ...(extents.length === 0 ? {} : { extents }),
    ...(dates.length === 0 ? {} : { dates }),
    ...maybe("version", words(one(node, "datacite:version"))),
  };
}

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * The record's description of a file, as a claim on a file of the package. An address without a scheme is the path
 * itself; of a whole address the label is the path, else the last part of the address.
 */
export function fileClaim(file: ReadFile): FileClaim {
  const isAddress = ABSOLUTE.test(file.uri) || file.uri.startsWith("//");
  const path = isAddress ? (file.label ?? lastPart(file.uri)) : file.uri === "" ? (file.label ?? "") : file.uri;
  return {
    path,
    ...maybe("mediaType", file.mimeType),
    ...maybe("label", file.label),
    ...maybe("objectType", file.objectType),
    ...maybe("version", file.version),
    ...maybe("url", file.uri),
    ...withoutUndefined({ dates: file.dates, extents: file.extents }),
  };
}

function lastPart(address: string): string {
  const [path = ""] = address.replace(/^[^:]*:(?:\/\/[^/?#]*)?/, "").split(/[?#]/);
  const last = path.slice(path.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return last;
  }
}

/** Numbers and codes of which only the first counts. */
export function firstToken(node: Node, name: string): string | undefined {
  return tokens(node, name)[0];
}
