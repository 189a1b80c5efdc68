// The preview of a draft (R40): its landing page as a guest, a member of each group and its owner will see it.
import type { Showing } from "../../../src/repository/pages/repository-pages.ts";
import { previewBanner } from "../../../src/repository/pages/templates/deposit-preview.ts";
import { recordPage } from "../../../src/repository/pages/templates/record-page.ts";
import { refusalPage } from "../../../src/repository/pages/templates/refusal-page.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { yieldToEventLoop } from "../../../src/shared/time/event-loop.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { recordIdOf } from "../record-dialect.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { GONE, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";
import { recordView } from "./views.ts";

export type DepositPreviewNeeds = PageNeeds & { readonly showing: Pick<Showing, "preview"> };

const { get } = routesOf<DepositPreviewNeeds>();

const ROUTES = [
  get("/deposit/:id/preview", {
    id: "previewPage",
    summary: "The landing page of a draft as others will see it",
    parameters: [
      pathParameter("id", "Number of the record"),
      queryParameter("as", "`guest`, `signed-in`, `owner`, or another kind of reader that the page links", {
        type: "string",
      }),
    ],
    answers: { ...UNKEPT, ...SIGN_IN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => preview(needs, request, recordIdOf(id)),
  }),
];

export const depositPreview = (needs: DepositPreviewNeeds) => mountPages("deposit-preview", ROUTES, needs, "session");

async function preview(needs: DepositPreviewNeeds, request: Request, id: number): Promise<Response> {
  const { viewer, site, signedIn } = await openPage(needs, request, "account");
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const as = new URL(request.url).searchParams.get("as") ?? "";
  const found = await needs.showing.preview(viewer, id, as);
  const note = previewBanner(found, site);
  if (found.record === null) {
    const isGuest = found.audience.kind === "guest";
    const refused = { status: 403, message: `You may not read item ${id}`, askToSignIn: isGuest };
    return await htmlAnswer(request, site, refusalPage(refused, site, note), { cacheable: false });
  }
  await yieldToEventLoop();
  const view = recordView(found.record, site.texts.tag, site.rootPath);
  await yieldToEventLoop();
  // Nothing for programs: it is not published.
  const shown = {
    ...view,
    tags: [],
    links: [],
    data: null,
    exports: [],
    related: [],
    relations: [],
    manage: null,
    preview: note,
  };
  return await htmlAnswer(request, site, recordPage(shown, site), { cacheable: false });
}
