// The picture of a community on pages (R37, R40): browsers read it with the session, owners upload it by a form.
import { Type } from "@sinclair/typebox";
import type { Logos } from "../../../src/repository/communities/logos.ts";
import { refusalText } from "../../../src/repository/pages/refusal-words.ts";
import { most } from "../../../src/shared/limits.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { queryParameter, response } from "../../http/document-parts.ts";
import type { SlowLimits } from "../../http/request-body.ts";
import { routesOf } from "../../http/routes.ts";
import { logoResponse } from "../communities/logo-response.ts";
import { signedInForm } from "./account-pages.ts";
import { openPage, redirectTo } from "./answers.ts";
import { type CommunityManagePagesNeeds, ownedCommunity, pathOf, settingsAnswer } from "./community-manage-pages.ts";
import { COMMUNITY, openCommunities } from "./community-pages.ts";
import { requireFormToken } from "./cookies.ts";
import { readSmallForm, type SmallForm } from "./multipart-form.ts";
import { AFTER_FORM, AFTER_UPLOAD, FORBIDDEN, form, GONE, mountPages, NOT_FOUND } from "./page-routes.ts";

export type CommunityLogoPagesNeeds = CommunityManagePagesNeeds & {
  readonly logos: Logos;
  readonly slow: SlowLimits;
};

const LOGO = "/communities/:community/logo";
const Bytes = Type.String({ format: "binary" });

const { get, post } = routesOf<CommunityLogoPagesNeeds>();

const ROUTES = [
  get(LOGO, {
    id: "communityLogo",
    summary: "The picture of a community",
    scopes: ["item:read"],
    parameters: [COMMUNITY, queryParameter("v", "The version that is kept", { type: "string" })],
    answers: {
      200: response("The picture", Bytes, {}, "image/*"),
      304: response("The reader has it", null),
      ...{ ...FORBIDDEN, ...NOT_FOUND, ...GONE },
    },
    run: async (needs, request, { community }) => {
      const { viewer } = await openCommunities(needs, request);
      return logoResponse(request, await needs.logos.read(viewer, community));
    },
  }),
  post(LOGO, {
    id: "uploadLogoByForm",
    summary: "Give a community a picture",
    scopes: "session",
    parameters: [COMMUNITY],
    content: {
      "multipart/form-data": Type.Object({
        csrf: Type.String(),
        file: Type.String({ format: "binary", description: "PNG, JPEG, WebP or GIF" }),
      }),
    },
    answers: { ...AFTER_UPLOAD, ...NOT_FOUND, ...GONE },
    run: (needs, request, { community }) => upload(needs, request, community),
  }),
  post(`${LOGO}/delete`, {
    id: "deleteLogoByForm",
    summary: "Remove the picture of a community",
    scopes: "session",
    parameters: [COMMUNITY],
    content: form({}),
    answers: { ...AFTER_FORM, ...NOT_FOUND, ...GONE },
    run: (needs, request, { community }) => remove(needs, request, community),
  }),
];

export const communityLogoPages = (needs: CommunityLogoPagesNeeds) =>
  mountPages("community-logo-pages", ROUTES, needs, null);

/** Room for the other fields of the form. */
const AROUND_BYTES = 16 * 1024;

async function upload(needs: CommunityLogoPagesNeeds, request: Request, named: string): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const { site, viewer, signedIn } = reader;
  const words = site.texts.community.logo;
  const again = async (text: string, status: number): Promise<Response> => {
    const community = await ownedCommunity(needs, reader, named);
    return await settingsAnswer(needs, request, reader, community, { problems: [{ field: "file", text }], status });
  };
  let sent: SmallForm;
  try {
    sent = await readSmallForm(request, needs.slow, most("logoBytes") + AROUND_BYTES);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "too_large") throw error;
    return await again(words.hint, 413);
  }
  requireFormToken(sent.fields.get("csrf"), signedIn.csrf);
  const community = await ownedCommunity(needs, reader, named);
  if (sent.file === null || sent.file.bytes.length === 0) return await again(words.none, 400);
  try {
    await needs.logos.save(viewer, community.id, sent.file.bytes);
    return redirectTo(site.rootPath, pathOf(community.slug, "settings?done=logo"));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "invalid") throw error;
    return await again(refusalText(error, site.texts), 400);
  }
}

async function remove(needs: CommunityLogoPagesNeeds, request: Request, named: string): Promise<Response> {
  const { reader } = await signedInForm(needs, request);
  const community = await ownedCommunity(needs, reader, named);
  await needs.logos.remove(reader.viewer, community.id);
  return redirectTo(reader.site.rootPath, pathOf(community.slug, "settings?done=unlogo"));
}
