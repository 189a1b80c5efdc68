// Pictures of communities (R37; InvenioRDM's logo): PNG, JPEG, WebP or GIF by their bytes, never what a client calls them.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { oneError, permissionDenied } from "../../model/input/record-refusals.ts";
import { may } from "../../model/rights/policy.ts";
import { pictureType } from "../../shared/bytes/picture-type.ts";
import { sha256Hex } from "../../shared/hash/digests.ts";
import { most } from "../../shared/limits.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape } from "../../shared/shapes.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { CommunityLogo } from "../store/communities.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { seenCommunity } from "./communities.ts";
import { communityPath } from "./community-json.ts";

/** What is stated of a picture. */
export const LogoShape = Type.Object(
  {
    key: Type.Literal("logo"),
    created: MomentShape,
    updated: MomentShape,
    mimetype: Type.String(),
    size: Type.Integer({ description: "In bytes" }),
    checksum: Type.String({ description: "`sha256:` and the digest" }),
    links: Type.Object({ self: Type.String() }),
  },
  { $id: "CommunityLogo" },
);

export interface Logos {
  /** @throws Refusal `not_found` also where the community has none; `gone` */
  read(viewer: Viewer, idOrSlug: string): Promise<{ readonly logo: CommunityLogo; readonly bytes: Uint8Array }>;
  /** Owners. @throws Refusal `not_found`, `gone`, `forbidden`; `invalid` for what is not such a picture */
  save(asking: Viewer, idOrSlug: string, bytes: Uint8Array): Promise<Static<typeof LogoShape>>;
  /** Owners. @throws Refusal `not_found` also where there is none */
  remove(asking: Viewer, idOrSlug: string): Promise<void>;
}

type Needs = { readonly store: RepositoryStore; readonly clock: Clock; readonly baseUrl: string };

const NOT_A_PICTURE = "The logo must be a PNG, JPEG, WebP or GIF picture.";
const TOO_LARGE = `The logo has at most ${most("logoBytes")} bytes.`;
const none = (): Refusal => new Refusal("not_found", "The community has no logo.");

export const logos = (needs: Needs): Logos => ({
  async read(viewer, idOrSlug) {
    const { communities } = needs.store;
    const { id } = await seenCommunity(communities, viewer, idOrSlug);
    const logo = (await communities.logos([id])).get(id);
    const bytes = logo === undefined ? null : await communities.logoBytes(id);
    if (logo === undefined || bytes === null) throw none();
    return { logo, bytes };
  },
  save: (asking, idOrSlug, bytes) => saveLogo(needs, asking, idOrSlug, bytes),
  remove: (asking, idOrSlug) =>
    writeAs(needs, asking, async (tx, viewer) => {
      const { id } = await ownedCommunity(tx, viewer, idOrSlug);
      if (!(await tx.communities.deleteLogo(id))) throw none();
      await audit(needs, tx, viewer, id, { logo: null });
    }),
});

async function ownedCommunity(tx: RepositoryWriter, viewer: Viewer, idOrSlug: string) {
  const community = await seenCommunity(tx.communities, viewer, idOrSlug, tx.communities.lockCommunity);
  if (!may(viewer, "community.change", community)) throw permissionDenied();
  return community;
}

async function audit({ clock }: Needs, tx: RepositoryWriter, viewer: Viewer, id: string, detail: object) {
  await tx.audit(viewer, clock.now(), [{ action: "community-set", subject: `community:${id}`, detail: { ...detail } }]);
}

function saveLogo(needs: Needs, asking: Viewer, idOrSlug: string, bytes: Uint8Array) {
  return writeAs(needs, asking, async (tx, viewer) => {
    const { id } = await ownedCommunity(tx, viewer, idOrSlug);
    if (bytes.length > most("logoBytes")) throw oneError("file", TOO_LARGE);
    const mediaType = pictureType(bytes);
    if (mediaType === null) throw oneError("file", NOT_A_PICTURE);
    const at = needs.clock.now();
    const before = (await tx.communities.logos([id])).get(id);
    const logo: CommunityLogo = {
      ...{ mediaType, sha256: sha256Hex(bytes), sizeBytes: bytes.length },
      ...{ createdAt: before?.createdAt ?? at, updatedAt: at },
    };
    await tx.communities.saveLogo(id, logo, bytes);
    await audit(needs, tx, viewer, id, { logo: logo.sha256 });
    return {
      key: "logo" as const,
      created: logo.createdAt,
      updated: logo.updatedAt,
      mimetype: mediaType,
      size: logo.sizeBytes,
      checksum: `sha256:${logo.sha256}`,
      links: { self: `${needs.baseUrl}${communityPath(id)}/logo` },
    };
  });
}
