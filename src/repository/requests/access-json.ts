// Requests for closed files as the interface shows them (Q.60). Who asks is shown to those who decide with the consent
// of that person alone.
import { type Static, Type } from "@sinclair/typebox";
import type { AccessSettings, ItemParent } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import { ActionLinksShape, MomentShape, manyOf, UuidShape, wordOf } from "../../shared/shapes.ts";
import type { Day } from "../../shared/time/day.ts";
import { ACCESS_REQUEST_STATUSES, ACCESS_REQUEST_TYPES, type AccessRequest } from "../store/access-requests.ts";

/** The settings of a record, and whose it is. */
export type RecordAccessSettings = {
  readonly parent: Pick<ItemParent, "id" | "owner">;
  readonly settings: AccessSettings;
};

export const ACCESS_ACTIONS = ["accept", "decline", "cancel"] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** A request as one viewer sees it. */
export type SeenAccessRequest = {
  readonly request: AccessRequest;
  readonly isMine: boolean;
  /** What the viewer may do now. */
  readonly may: readonly AccessAction[];
  /** The right is in force. */
  readonly isActive: boolean;
  /** How often the link of a guest was used, and when last; null: there is no link. */
  readonly use: { readonly times: number; readonly last: Day | null } | null;
};

/** The name and the address are for the person, and with consent for those who decide. */
export const isNamed = ({ request, isMine }: SeenAccessRequest): boolean => isMine || request.hasConsent;

const WhoShape = Type.Union([
  Type.Object({ user: Type.String({ description: "Number of the account" }) }),
  Type.Object({ email: Type.String() }),
  Type.Null({ description: "The person does not consent to be named" }),
]);

export const AccessRequestShape = Type.Object(
  {
    id: UuidShape,
    type: wordOf(ACCESS_REQUEST_TYPES),
    status: wordOf(ACCESS_REQUEST_STATUSES),
    is_open: Type.Boolean(),
    is_closed: Type.Boolean(),
    is_active: Type.Boolean({ description: "The right that it gave is in force" }),
    title: Type.String(),
    topic: Type.Object({ record: Type.String() }),
    created_by: WhoShape,
    payload: Type.Object({
      permission: wordOf(["view"]),
      message: Type.String({ description: "The purpose, as plain text" }),
      full_name: Type.Optional(Type.String()),
      answer: Type.String({ description: "What the deciding person wrote, as plain text" }),
    }),
    expires_at: Type.Union([Type.String({ format: "date" }), Type.Null()], {
      description: "The last day of the right",
    }),
    created: MomentShape,
    updated: MomentShape,
    links: Type.Object({
      self: Type.String(),
      actions: ActionLinksShape,
    }),
  },
  { $id: "AccessRequest" },
);
type AccessRequestJson = Static<typeof AccessRequestShape>;

export const AccessRequestListShape = Type.Object(
  { hits: Type.Object({ total: Type.Integer(), hits: manyOf(AccessRequestShape) }) },
  { $id: "AccessRequestList" },
);

/** A guest learns no more: whatever is known of the address, the answer is this. */
export const GuestAnswerShape = Type.Object({ message: Type.String() }, { $id: "GuestAccessRequest" });

export const AccessSettingsShape = Type.Object(
  {
    id: Type.String({ description: "Number of the record" }),
    parent: Type.Object({
      id: Type.String(),
      access: Type.Object({
        owned_by: Type.Object({ user: Type.String({ description: "Number of the account" }) }),
        settings: Type.Object({
          allow_user_requests: Type.Boolean(),
          allow_guest_requests: Type.Boolean(),
          accept_conditions_text: Type.Union([Type.String(), Type.Null()]),
          secret_link_expiration: Type.Integer({ description: "Days" }),
        }),
      }),
    }),
  },
  { $id: "AccessSettings" },
);

/** Where clients of existing record repositories find them: in the parent of the record. */
export const accessSettingsJson = (
  id: ItemId,
  { parent, settings: own }: RecordAccessSettings,
): Static<typeof AccessSettingsShape> => ({
  id: String(id),
  parent: {
    id: String(parent.id),
    access: {
      owned_by: { user: String(parent.owner) },
      settings: {
        allow_user_requests: own.users,
        allow_guest_requests: own.guests,
        accept_conditions_text: own.conditions === "" ? null : own.conditions,
        secret_link_expiration: own.days,
      },
    },
  },
});

export function accessRequestJson(seen: SeenAccessRequest, baseUrl: string): AccessRequestJson {
  const { request, may, isActive } = seen;
  const { id, type, status, title, item, message, answer, name, account, mail } = request;
  const self = `${baseUrl}/api/requests/${id}`;
  const who = account === null ? { email: mail } : { user: String(account) };
  return {
    ...{ id, type, status, title, is_active: isActive },
    is_open: status === "submitted",
    is_closed: status !== "submitted" && status !== "created",
    topic: { record: String(item) },
    created_by: isNamed(seen) ? who : null,
    payload: {
      ...{ permission: "view", message, answer },
      ...(isNamed(seen) && name !== "" ? { full_name: name } : {}),
    },
    expires_at: request.endsOn,
    ...{ created: request.createdAt, updated: request.updatedAt },
    links: { self, actions: Object.fromEntries(may.map((each) => [each, `${self}/actions/${each}`])) },
  };
}

export const accessRequestListJson = (
  list: readonly SeenAccessRequest[],
  baseUrl: string,
): Static<typeof AccessRequestListShape> => ({
  hits: { total: list.length, hits: list.map((each) => accessRequestJson(each, baseUrl)) },
});
