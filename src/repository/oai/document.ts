// The answer to a harvester as a document (OAI-PMH 2.0 section 3.2; OAI-PMH.xsd), with the descriptions of a repository
// of the implementation guidelines: oai-identifier and eprints.
import { writePlainDc } from "../../formats/oai-dc/write.ts";
import { attributeText, escapeText } from "../../shared/xml/print.ts";
import type { OaiAnswer, OaiBody, OaiRecord } from "./harvesting.ts";
import { type OaiSet, setName } from "./sets.ts";

const OAI = "http://www.openarchives.org/OAI/2.0/";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** The repository's description of itself. */
export type RepositoryDescription = {
  readonly baseUrl: string;
  readonly name: string;
  readonly host: string;
  readonly adminMail: string;
  readonly abstract: string;
  readonly collectionPolicy: { readonly url: string | null; readonly text: string };
  readonly treatment: { readonly url: string | null; readonly text: string };
};

const text = (name: string, value: string): string => `<${name}>${escapeText(value)}</${name}>\n`;

export const oaiDocument = (answer: OaiAnswer, described: RepositoryDescription): string =>
  [...documentParts(answer, described)].join("");

function* documentParts(answer: OaiAnswer, described: RepositoryDescription): Generator<string, void, undefined> {
  const { responseDate, echo } = answer;
  const attributes = echo.map(([name, value]) => ` ${name}="${attributeText(value)}"`).join("");
  yield `<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="${OAI}" xmlns:xsi="${XSI}" xsi:schemaLocation="${OAI} ${OAI}OAI-PMH.xsd">
<responseDate>${responseDate}</responseDate>
<request${attributes}>${escapeText(described.baseUrl)}</request>
`;
  if ("errors" in answer) {
    for (const { code, message } of answer.errors) yield `<error code="${code}">${escapeText(message)}</error>\n`;
  } else {
    yield `<${answer.body.verb}>\n`;
    yield* bodyParts(answer.body, described);
    yield `</${answer.body.verb}>\n`;
  }
  yield "</OAI-PMH>\n";
}

function* bodyParts(body: OaiBody, described: RepositoryDescription): Generator<string, void, undefined> {
  switch (body.verb) {
    case "Identify":
      yield identity(body, described);
      return;
    case "ListMetadataFormats":
      for (const { prefix, schema, namespace } of body.formats) {
        const parts = [text("metadataPrefix", prefix), text("schema", schema), text("metadataNamespace", namespace)];
        yield `<metadataFormat>\n${parts.join("")}</metadataFormat>\n`;
      }
      return;
    case "ListSets":
      for (const set of body.sets) yield setElement(set);
      yield tokenElement(body.token);
      return;
    case "GetRecord":
      yield recordElement(body.record);
      return;
    case "ListIdentifiers":
      for (const record of body.records) yield headerElement(record);
      yield tokenElement(body.token);
      return;
    case "ListRecords":
      for (const record of body.records) yield recordElement(record);
      yield tokenElement(body.token);
  }
}

function headerElement({ identifier, datestamp, sets, isDeleted }: OaiRecord): string {
  const status = isDeleted ? ' status="deleted"' : "";
  const specs = sets.map((spec) => text("setSpec", spec)).join("");
  return `<header${status}>\n${text("identifier", identifier)}<datestamp>${datestamp}</datestamp>\n${specs}</header>\n`;
}

function recordElement(record: OaiRecord): string {
  const metadata = record.metadata === null ? "" : `<metadata>\n${record.metadata}</metadata>\n`;
  return `<record>\n${headerElement(record)}${metadata}</record>\n`;
}

function tokenElement(token: Extract<OaiBody, { readonly verb: "ListSets" }>["token"]): string {
  if (token === null) return "";
  const expires = token.expires === null ? "" : ` expirationDate="${token.expires}"`;
  const counts = `completeListSize="${token.size}" cursor="${token.cursor}"`;
  return `<resumptionToken${expires} ${counts}>${escapeText(token.text)}</resumptionToken>\n`;
}

function setElement(set: OaiSet): string {
  const { spec, en, ja, description } = set;
  const fields = writePlainDc([
    ...(en === "" ? [] : [["title", { value: en, lang: "en" }] as const]),
    ...(ja === "" ? [] : [["title", { value: ja, lang: "ja" }] as const]),
    ...(description === "" ? [] : [["description", { value: description }] as const]),
  ]);
  return `<set>\n${text("setSpec", spec)}${text("setName", setName(set))}<setDescription>\n${fields}</setDescription>\n</set>\n`;
}

/** Host names as identifiers of the scheme `oai` have them: parts with a letter first, at least two of them. */
const DOMAIN = /^[a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z][a-zA-Z0-9-]*)+$/;

function identity(
  { earliest, sample }: Extract<OaiBody, { readonly verb: "Identify" }>,
  described: RepositoryDescription,
): string {
  const { name, baseUrl, adminMail, host } = described;
  return [
    text("repositoryName", name),
    text("baseURL", baseUrl),
    text("protocolVersion", "2.0"),
    text("adminEmail", adminMail),
    text("earliestDatestamp", earliest),
    text("deletedRecord", "persistent"),
    text("granularity", "YYYY-MM-DDThh:mm:ssZ"),
    DOMAIN.test(host) ? identifierDescription(host, sample) : "",
    eprintsDescription(described),
  ].join("");
}

const IDENTIFIER = `${OAI}oai-identifier`;
const EPRINTS = "http://www.openarchives.org/OAI/1.1/eprints";

function identifierDescription(host: string, sample: string): string {
  return `<description>
<oai-identifier xmlns="${IDENTIFIER}" xsi:schemaLocation="${IDENTIFIER} ${IDENTIFIER}.xsd">
${text("scheme", "oai")}${text("repositoryIdentifier", host)}${text("delimiter", ":")}${text("sampleIdentifier", sample)}</oai-identifier>
</description>
`;
}

const NOT_STATED = "Not stated";

/** The content and the policies from the settings, in the format of the eprints community. */
function eprintsDescription({ abstract, collectionPolicy, treatment }: RepositoryDescription): string {
  const policy = (name: string, { url, text: words }: RepositoryDescription["treatment"]): string => {
    const statement = words === "" && url === null ? NOT_STATED : words;
    return `<${name}>\n${url === null ? "" : text("URL", url)}${statement === "" ? "" : text("text", statement)}</${name}>\n`;
  };
  const content = abstract === "" ? "" : policy("content", { url: null, text: abstract });
  const none = { url: null, text: "" };
  return `<description>
<eprints xmlns="${EPRINTS}" xsi:schemaLocation="${EPRINTS} ${EPRINTS}.xsd">
${content}${policy("metadataPolicy", none)}${policy("dataPolicy", collectionPolicy)}${policy("submissionPolicy", treatment)}</eprints>
</description>
`;
}
