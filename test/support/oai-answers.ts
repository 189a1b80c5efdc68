// Answers to harvesters as tests read them: every one is held against a small grammar of OAI-PMH.xsd, written by us
// (OAI-PMH 2.0 section 3.2).
import { textOf, type XmlElement } from "../../src/shared/xml/element.ts";
import { parseXml } from "../../src/shared/xml/parse.ts";
import { attributeOf, childElements } from "./xml-elements.ts";

const OAI = "http://www.openarchives.org/OAI/2.0/";

type Rule = {
  /** Children in order: name, least, most. */
  readonly children?: readonly (readonly [name: string, least: number, most: number])[];
  readonly text?: RegExp;
  readonly attributes?: Readonly<Record<string, RegExp>>;
  /** Exactly one element of another namespace. */
  readonly other?: boolean;
};

const MANY = Number.POSITIVE_INFINITY;
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/;
const SECOND = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const PREFIX = /^[A-Za-z0-9\-_.!~*'()]+$/;
const SET = /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/;
const URI = /^[^\s<>"{}|\\^`]+$/;
const ANY = /^[\s\S]*$/;
const VERB = /^(?:Identify|ListMetadataFormats|ListSets|GetRecord|ListIdentifiers|ListRecords)$/;
const CODE =
  /^(?:badArgument|badResumptionToken|badVerb|cannotDisseminateFormat|idDoesNotExist|noMetadataFormats|noRecordsMatch|noSetHierarchy)$/;

const RULES: Readonly<Record<string, Rule>> = {
  responseDate: { text: SECOND },
  request: {
    text: URI,
    attributes: {
      verb: VERB,
      identifier: URI,
      metadataPrefix: PREFIX,
      from: MOMENT,
      until: MOMENT,
      set: SET,
      resumptionToken: ANY,
    },
  },
  error: { text: ANY, attributes: { code: CODE } },
  Identify: {
    children: [
      ["repositoryName", 1, 1],
      ["baseURL", 1, 1],
      ["protocolVersion", 1, 1],
      ["adminEmail", 1, MANY],
      ["earliestDatestamp", 1, 1],
      ["deletedRecord", 1, 1],
      ["granularity", 1, 1],
      ["compression", 0, MANY],
      ["description", 0, MANY],
    ],
  },
  repositoryName: { text: ANY },
  baseURL: { text: URI },
  protocolVersion: { text: /^2\.0$/ },
  adminEmail: { text: /^\S+@(?:\S+\.)+\S+$/ },
  earliestDatestamp: { text: SECOND },
  deletedRecord: { text: /^(?:no|persistent|transient)$/ },
  granularity: { text: /^YYYY-MM-DD(?:Thh:mm:ssZ)?$/ },
  description: { other: true },
  ListMetadataFormats: { children: [["metadataFormat", 1, MANY]] },
  metadataFormat: {
    children: [
      ["metadataPrefix", 1, 1],
      ["schema", 1, 1],
      ["metadataNamespace", 1, 1],
    ],
  },
  metadataPrefix: { text: PREFIX },
  schema: { text: URI },
  metadataNamespace: { text: URI },
  ListSets: {
    children: [
      ["set", 1, MANY],
      ["resumptionToken", 0, 1],
    ],
  },
  set: {
    children: [
      ["setSpec", 1, 1],
      ["setName", 1, 1],
      ["setDescription", 0, MANY],
    ],
  },
  setSpec: { text: SET },
  setName: { text: /\S/ },
  setDescription: { other: true },
  GetRecord: { children: [["record", 1, 1]] },
  ListRecords: {
    children: [
      ["record", 1, MANY],
      ["resumptionToken", 0, 1],
    ],
  },
  ListIdentifiers: {
    children: [
      ["header", 1, MANY],
      ["resumptionToken", 0, 1],
    ],
  },
  record: {
    children: [
      ["header", 1, 1],
      ["metadata", 0, 1],
    ],
  },
  header: {
    children: [
      ["identifier", 1, 1],
      ["datestamp", 1, 1],
      ["setSpec", 0, MANY],
    ],
    attributes: { status: /^deleted$/ },
  },
  identifier: { text: URI },
  datestamp: { text: SECOND },
  metadata: { other: true },
  resumptionToken: {
    text: ANY,
    attributes: { expirationDate: SECOND, completeListSize: /^[1-9]\d*$/, cursor: /^\d+$/ },
  },
};

/** Everything in an element that the grammar does not allow. */
function faultsOf(element: XmlElement): string[] {
  const { name } = element;
  const rule = RULES[name];
  if (element.namespace !== OAI || rule === undefined) return [`${name} is not an element of the protocol`];
  const faults: string[] = [];
  for (const { name: attribute, value } of element.attributes) {
    if (rule.attributes?.[attribute]?.test(value) !== true) faults.push(`${name} ${attribute}="${value}"`);
  }
  const children = childElements(element);
  if (rule.text !== undefined) {
    if (children.length > 0 || !rule.text.test(textOf(element))) faults.push(`${name}: "${textOf(element)}"`);
    return faults;
  }
  if (rule.other === true) {
    if (children.length !== 1 || children[0]?.namespace === OAI)
      faults.push(`${name} holds no element of another schema`);
    return faults;
  }
  const order = (rule.children ?? []).map(([child]) => child);
  const places = children.map((child) => order.indexOf(child.name));
  if (places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0)))
    faults.push(`${name}: wrong order or children`);
  for (const [child, least, most] of rule.children ?? []) {
    const count = children.filter((each) => each.name === child).length;
    if (count < least || count > most) faults.push(`${name} holds ${count} ${child}`);
  }
  return [...faults, ...children.flatMap(faultsOf)];
}

export type ReadRecord = {
  readonly identifier: string;
  readonly datestamp: string;
  readonly sets: readonly string[];
  readonly isDeleted: boolean;
  readonly metadata: XmlElement | null;
};

export type OaiRead = {
  readonly responseDate: string;
  readonly request: XmlElement;
  readonly errors: readonly string[];
  /** The element of the verb; null for errors. */
  readonly body: XmlElement | null;
  readonly records: readonly ReadRecord[];
  /** Null without the element; "" at the end of a list. */
  readonly token: string | null;
  readonly size: number | null;
  readonly cursor: number | null;
};

const child = (element: XmlElement, name: string): XmlElement | undefined =>
  childElements(element).find((each) => each.name === name);
export const texts = (element: XmlElement, name: string): readonly string[] =>
  childElements(element)
    .filter((each) => each.name === name)
    .map(textOf);

function recordOf(element: XmlElement): ReadRecord {
  const header = element.name === "header" ? element : (child(element, "header") ?? element);
  const metadata = child(element, "metadata");
  const [inner = null] = metadata === undefined ? [] : childElements(metadata);
  return {
    identifier: texts(header, "identifier")[0] ?? "",
    datestamp: texts(header, "datestamp")[0] ?? "",
    sets: texts(header, "setSpec"),
    isDeleted: attributeOf(header, "status") === "deleted",
    metadata: inner,
  };
}

/** An answer, read; throws where it is not as the protocol has it. */
export function readOai(xml: string): OaiRead {
  const root = parseXml(new TextEncoder().encode(xml));
  const [responseDate, request, ...rest] = childElements(root);
  const faults = root.name === "OAI-PMH" && root.namespace === OAI ? [] : ["The root is another one"];
  if (responseDate?.name !== "responseDate" || request?.name !== "request" || rest.length === 0)
    faults.push("The frame is another one");
  const isBody = rest.length === 1 && rest[0]?.name !== "error";
  if (!isBody && rest.some(({ name }) => name !== "error")) faults.push("Errors next to an answer");
  faults.push(...childElements(root).flatMap(faultsOf));
  if (faults.length > 0 || request === undefined) throw new Error(`${faults.join("; ")}\n${xml.slice(0, 2_000)}`);
  const [first] = rest;
  const body = isBody && first !== undefined ? first : null;
  const token = body === null ? undefined : child(body, "resumptionToken");
  const number = (name: string): number | null =>
    token === undefined ? null : Number(attributeOf(token, name) ?? Number.NaN);
  return {
    responseDate: responseDate === undefined ? "" : textOf(responseDate),
    request,
    errors: isBody ? [] : rest.map((error) => attributeOf(error, "code") ?? ""),
    body,
    records:
      body === null
        ? []
        : childElements(body)
            .filter(({ name }) => name === "record" || name === "header")
            .map(recordOf),
    token: token === undefined ? null : textOf(token),
    size: number("completeListSize"),
    cursor: number("cursor"),
  };
}
