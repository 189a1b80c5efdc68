// Pages on which a record is offered to another account, and the offer is answered (R15).

import type { Account } from "../../../src/auth/account.ts";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { personName } from "../../../src/model/metadata/reader-language.ts";
import { type OfferView, offerPage, transferPage } from "../../../src/repository/pages/templates/transfer-pages.ts";
import type { SharedWith } from "../../../src/repository/records/shared-with.ts";
import { NEW_TRANSFER, type Transferring } from "../../../src/repository/records/transferring.ts";
import type { AccountId } from "../../../src/shared/ids.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { recordIdOf } from "../record-dialect.ts";
import { signedInForm } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { problemsOf } from "./manage-pages.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  mountPages,
  NOT_FOUND,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";
import { shownTitle } from "./views.ts";

export type TransferPagesNeeds = PageNeeds & {
  readonly transferring: Transferring;
  readonly sharedWith: SharedWith;
  readonly accountsOf: (ids: readonly AccountId[]) => Promise<readonly Account[]>;
};

const OFFER = "/records/:id/transfer";
const ONE = "/transfers/:transfer_id";
const ID = [pathParameter("id", "Number of the item")];
const TRANSFER = [pathParameter("transfer_id", "UUID of the offer")];

const { get, post } = routesOf<TransferPagesNeeds>();

const ROUTES = [
  get(OFFER, {
    id: "offerPage",
    summary: "Hand an item over to another account",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...FORBIDDEN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => showOffer(needs, request, recordIdOf(id)),
  }),
  post(OFFER, {
    id: "offerByForm",
    summary: "Offer an item to another account",
    parameters: ID,
    content: form({ who: "Mail address, name or number of the account", message: "A message, as plain text" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => offer(needs, request, recordIdOf(id)),
  }),
  get(ONE, {
    id: "transferPage",
    summary: "One offer of an item",
    parameters: TRANSFER,
    answers: { ...UNKEPT, ...SIGN_IN, ...NOT_FOUND },
    run: (needs, request, { transfer_id: id }) => showTransfer(needs, request, id),
  }),
  post(ONE, {
    id: "decideTransferByForm",
    summary: "Accept, decline or cancel an offer",
    parameters: TRANSFER,
    content: form({ do: "accept, decline or cancel" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { transfer_id: id }) => decide(needs, request, id),
  }),
];

export const transferPages = (needs: TransferPagesNeeds) => mountPages("transfer-pages", ROUTES, needs, "session");

async function openSession(needs: TransferPagesNeeds, request: Request): Promise<Reader & { readonly csrf: string }> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  return { ...reader, csrf: reader.signedIn.csrf };
}

async function showOffer(
  needs: TransferPagesNeeds,
  request: Request,
  id: number,
  again: Partial<Pick<OfferView, "sent" | "problems">> = {},
): Promise<Response> {
  const { viewer, site, csrf } = await openSession(needs, request);
  const offers = await needs.transferring.transfers(viewer, id);
  const { metadata } = await needs.sharedWith.sharedRecord(viewer, id);
  const open = offers.find(({ transfer }) => transfer.status === "submitted")?.transfer.id ?? null;
  const title = shownTitle(metadata, site.texts.tag);
  const view = { id, csrf, title, open, sent: { who: "", message: "" }, problems: [], ...again };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, offerPage(view, site), { status, cacheable: false });
}

async function offer(needs: TransferPagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { texts, rootPath } = reader.site;
  const sent = { who: fields.get("who") ?? "", message: (fields.get("message") ?? "").trim() };
  const [subject, ...others] = await needs.sharedWith.subjectsNamed(reader.viewer, id, "user", sent.who);
  const words = texts.manage.problems;
  const again = (problems: OfferView["problems"]) => showOffer(needs, request, id, { sent, problems });
  if (subject === undefined) return await again([{ field: "who", text: words.who }]);
  if (others.length > 0) {
    const numbers = [subject, ...others].map((each) => each.id).join(", ");
    return await again([{ field: "who", text: words.several(numbers) }]);
  }
  try {
    const body = { receiver: { user: subject.id }, message: sent.message };
    const made = await needs.transferring.offer(reader.viewer, id, sentRecord(NEW_TRANSFER, body));
    return redirectTo(rootPath, `/transfers/${made.transfer.id}`);
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return await again(problemsOf(error, { "receiver.user": "who", message: "message" }, texts));
  }
}

async function showTransfer(needs: TransferPagesNeeds, request: Request, id: string): Promise<Response> {
  const { viewer, site, csrf } = await openSession(needs, request);
  const { transfer, may } = await needs.transferring.readTransfer(viewer, id);
  const accounts = await needs.accountsOf([transfer.giver, transfer.receiver]);
  const { review, manage } = site.texts;
  const nameOf = (account: AccountId): string => {
    if (account === viewer.account?.id) return review.you;
    const found = accounts.find((each) => each.id === account);
    return (found === undefined ? "" : personName(found)) || manage.account(account);
  };
  const view = {
    ...{ id: transfer.id, csrf, item: transfer.item, title: transfer.title, message: transfer.message },
    ...{ giver: nameOf(transfer.giver), receiver: nameOf(transfer.receiver), status: transfer.status },
    ...{ since: transfer.createdAt, may },
  };
  return await htmlAnswer(request, site, transferPage(view, site), { cacheable: false });
}

async function decide(needs: TransferPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const { transfer } = await needs.transferring.decideTransfer(reader.viewer, id, fields.get("do") ?? "");
  return redirectTo(reader.site.rootPath, `/transfers/${transfer.id}`);
}
