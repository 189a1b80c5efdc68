// `/docs/pages`: all components of pages, where SVC_COMPONENT_PAGE is on (R40).
import { Elysia } from "elysia";
import { groupChange } from "../../../src/pages/components/groups.ts";
import { componentPage } from "../../../src/repository/pages/templates/component-page.ts";
import { routesOf } from "../../http/routes.ts";
import { htmlAnswer, openPage, type PageNeeds } from "./answers.ts";
import { mountPages } from "./page-routes.ts";

export type ComponentPagesNeeds = PageNeeds & { readonly hasComponentPage: boolean };

const { get } = routesOf<ComponentPagesNeeds>();
const ROUTES = [get("/docs/pages", { run: components })];

export const componentPages = (needs: ComponentPagesNeeds) =>
  needs.hasComponentPage ? mountPages("component-pages", ROUTES, needs) : new Elysia({ name: "component-pages" });

async function components(needs: ComponentPagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "pages");
  const fields = new Map(new URL(request.url).searchParams);
  return await htmlAnswer(request, site, componentPage(groupChange(fields), site));
}
