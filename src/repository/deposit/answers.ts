// Answers to deposits: status documents with their headers (specification 2, "Status document", "Response codes"; R2b,
// R5, R11, R15, R16).

import { identAddress } from "../../formats/citation/cited-item.ts";
import type { Addresses } from "../../model/items/addresses.ts";
import type { Item } from "../../model/items/item.ts";
import type { DepositAnswer } from "./request.ts";
import { pageLink, type StatusLink, statusDocument } from "./status-document.ts";

type StatusIn = {
  readonly item: Pick<
    Item,
    "id" | "revision" | "content" | "ark" | "depositedBy" | "depositedOnBehalfOf" | "createdAt"
  >;
  readonly replaces: number | null;
  readonly isReplacedBy: number | null;
  /** The open activity of the item; the link to its page comes first then. */
  readonly activityId: string | null;
  /** Further items of the same deposit: the evidence of a split one. */
  readonly parts: readonly Pick<Item, "id" | "content" | "ark">[];
  readonly notes: readonly string[];
};

/** The status document of an item. */
function statusOf(at: Addresses, status: StatusIn) {
  const { item } = status;
  return statusDocument({
    url: at.deposit(item.id),
    revision: item.revision,
    links: linksOf(at, status),
    notes: status.notes,
  });
}

function linksOf(at: Addresses, { item, replaces, isReplacedBy, activityId, parts }: StatusIn): StatusLink[] {
  const properties: Partial<Omit<StatusLink, "@id" | "rel">> = {
    depositedOn: item.createdAt,
    ...(item.depositedBy === null ? {} : { depositedBy: String(item.depositedBy) }),
    ...(item.depositedOnBehalfOf === null ? {} : { depositedOnBehalfOf: String(item.depositedOnBehalfOf) }),
    ...(replaces === null ? {} : { "dcterms:replaces": at.landingPage(replaces) }),
    ...(isReplacedBy === null ? {} : { "dcterms:isReplacedBy": at.landingPage(isReplacedBy) }),
  };
  const pages = [...(activityId === null ? [] : [at.activityPage(activityId)]), at.landingPage(item.id)];
  const [first = "", ...others] = pages;
  return [
    pageLink(first, properties),
    ...others.map((url) => pageLink(url)),
    ...persistentLinks(at, item),
    ...parts.flatMap((part) => [pageLink(at.landingPage(part.id)), ...persistentLinks(at, part)]),
  ];
}

/** Schemes whose identifiers are persistent and have a resolver. */
const PERSISTENT: ReadonlySet<string> = new Set(["doi", "hdl", "handle"]);

/** The ARK of the item, and the DOIs and handles it has (specification, "Status document"). */
function persistentLinks(at: Addresses, { ark, content }: Pick<Item, "ark" | "content">): StatusLink[] {
  const { identifiers = [], registration } = content?.metadata ?? {};
  const stated = [...identifiers, ...(registration === undefined ? [] : [registration])]
    .filter(({ scheme }) => PERSISTENT.has(scheme.toLowerCase()))
    .flatMap((ident) => identAddress(ident) ?? []);
  const urls = new Set([...(ark === null ? [] : [at.arkUrl(ark)]), ...stated]);
  return [...urls].map((url) => pageLink(url));
}

/** 200, 201 or 202 with the status document, `ETag` and `Location`. */
export function statusAnswer(at: Addresses, status: number, document: StatusIn): DepositAnswer {
  return {
    status,
    headers: { etag: `"${document.item.revision}"`, location: at.deposit(document.item.id) },
    body: statusOf(at, document),
  };
}

/** A deletion; one that went through an activity names its page in `Link` and `Location` (R11). */
export function deletionAnswer(
  at: Addresses,
  status: 202 | 204,
  activityId: string | null,
  document: StatusIn | null,
): DepositAnswer {
  const page = activityId === null ? null : at.activityPage(activityId);
  const headers = page === null ? {} : { link: `<${page}>; rel="related"`, location: page };
  if (document === null) return { status, headers, body: null };
  return { status, headers: { ...headers, etag: `"${document.item.revision}"` }, body: statusOf(at, document) };
}
