// What the page of sharing shows of requests for closed files (Q.60).
import type { Account, Viewer } from "../../../src/auth/account.ts";
import { personName } from "../../../src/model/metadata/reader-language.ts";
import type { AccessPart } from "../../../src/repository/pages/templates/access-pages.ts";
import { isNamed } from "../../../src/repository/requests/access-json.ts";
import type { AccessRequests } from "../../../src/repository/requests/access-requests.ts";
import type { AccessRequest } from "../../../src/repository/store/access-requests.ts";
import type { AccountId } from "../../../src/shared/ids.ts";

export type AccessPartNeeds = {
  readonly access: Pick<AccessRequests, "ofRecord" | "settings">;
  readonly isMailOn: boolean;
  readonly accountsOf: (ids: readonly AccountId[]) => Promise<readonly Account[]>;
};

/** What the page of sharing shows of the requests of a record. */
export async function accessPartOf(needs: AccessPartNeeds, viewer: Viewer, id: number): Promise<AccessPart> {
  const seen = await needs.access.ofRecord(viewer, id);
  const { settings } = await needs.access.settings(viewer, id);
  const ids = seen.flatMap((each) => (isNamed(each) ? (each.request.account ?? []) : []));
  const accounts = new Map((await needs.accountsOf([...new Set(ids)])).map((each) => [each.id, personName(each)]));
  const nameOf = ({ account, name, mail }: AccessRequest): string =>
    account === null ? [name, mail].filter((each) => each !== "").join(", ") : accounts.get(account) || String(account);
  return {
    ...{ settings, isMailOn: needs.isMailOn },
    lines: seen.map((each) => ({
      ...{ id: each.request.id, title: each.request.title, status: each.request.status, since: each.request.createdAt },
      ...{ endsOn: each.request.endsOn, isActive: each.isActive, use: each.use },
      who: isNamed(each) ? nameOf(each.request) : null,
    })),
  };
}
