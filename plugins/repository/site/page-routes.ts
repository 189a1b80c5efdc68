// What the rows of all pages share (R32): answers as HTML, forms by their fields, redirects.
import { Type } from "@sinclair/typebox";
import { type Headers, RETRY_AFTER, response, WRONG_HOST } from "../../http/document-parts.ts";
import { mountRoutes, type Route, type RouteAnswers, type RouteGroup } from "../../http/routes.ts";
import { ErrorShape } from "../error-groups.ts";
import { type PageNeeds, pageErrors } from "./answers.ts";

const Html = Type.String({ $id: "Html" });

export const html = (description: string, headers: Headers = {}) => response(description, Html, headers, "text/html");

export const FORBIDDEN: RouteAnswers = {
  403: html("It is there, and not open to the reader; or the form has expired"),
};
/** A page that browsers keep and ask for again; a token needs the scope. */
export const PAGE: RouteAnswers = {
  200: html("The page"),
  304: response("The reader has this page already", null),
  ...FORBIDDEN,
};
/** A page that no cache stores. */
export const UNKEPT: RouteAnswers = { 200: html("The page") };
export const NOT_FOUND: RouteAnswers = {
  404: html("There is nothing by this address, or nothing the reader may know of"),
};
export const GONE: RouteAnswers = { 410: html("It was deleted: the fact, the reason and the citation") };

const redirect = (description: string) =>
  response(description, null, { Location: { description: "Where it is", schema: { type: "string" } } });
export const LATEST: RouteAnswers = {
  302: redirect("The number ties versions together: the latest one the reader may read"),
};
export const movedTo = (description: string): RouteAnswers => ({ 302: redirect(description) });
/** For readers who have not signed in. */
export const SIGN_IN: RouteAnswers = { 303: redirect("To the sign-in page, which leads back") };

const TOO_LARGE: RouteAnswers = { 413: html("The form is too large") };
/** What a body that is a form may be refused with. */
export const BODY_REFUSALS: RouteAnswers = { ...TOO_LARGE, 408: html("The form came too slowly") };
/** What every form may be refused with that needs no token of its page. */
export const FORM_REFUSALS: RouteAnswers = {
  ...BODY_REFUSALS,
  415: html("The body is not a form"),
};
const DONE: RouteAnswers = { 303: redirect("To the page that shows what was done"), ...FORBIDDEN };
export const AFTER_FORM: RouteAnswers = { ...DONE, ...FORM_REFUSALS };
/** Forms about an item. */
export const BUSY: RouteAnswers = { 409: html("The item is being changed by somebody else") };
/** The form is shown again with what is wrong. */
export const FORM_AGAIN: RouteAnswers = { 400: html("The form again, with what is wrong") };
/** A file that comes in parts of a form: one that is none, or comes too slowly, is wrong as any other. */
export const AFTER_UPLOAD: RouteAnswers = { ...DONE, ...TOO_LARGE, ...FORM_AGAIN };

/** A file in bytes; ranges and conditional requests. */
export const FILE: RouteAnswers = {
  200: response("The file", Type.Unsafe<string>({ type: "string", format: "binary" }), {}, "*/*"),
  206: response("The requested range", Type.Unsafe<string>({ type: "string", format: "binary" }), {}, "*/*"),
  304: response("The client has it already", null),
  ...FORBIDDEN,
  416: response("The range starts after the end of the file", null),
};

const FormToken = Type.String({ $id: "FormToken", description: "The form token of the page", examples: ["9c1e"] });

/** A form by its fields and what each means. `others`: fields whose names depend on what the page shows. */
export const form = (fields: Readonly<Record<string, string>>, others?: string) => ({
  "application/x-www-form-urlencoded": Type.Object(
    {
      csrf: Type.Optional(FormToken),
      ...Object.fromEntries(
        Object.entries(fields).map(([name, description]) => [name, Type.Optional(Type.String({ description }))]),
      ),
    },
    others === undefined ? {} : { additionalProperties: Type.String({ description: others }) },
  ),
});

/** What is refused before the page is known is JSON for clients that accept no HTML. */
const before = (description: string, headers?: Headers) => {
  const page = html(description, headers);
  return { ...page, content: { ...page.content, "application/json": { schema: ErrorShape } } };
};
const ALWAYS: RouteAnswers = {
  400: before(WRONG_HOST),
  401: html("The access token is not valid, or the reader is not signed in"),
  429: before("Too many requests", RETRY_AFTER),
  500: before("Internal error"),
  503: before("Too many requests at once, or the database or the search index does not answer", RETRY_AFTER),
};

/** The plugin that serves some pages. A token opens them too, if it has the scope; `session`: for people only. */
export const mountPages = <Needs extends PageNeeds>(
  name: string,
  routes: readonly Route<Needs>[],
  needs: Needs,
  scopes: RouteGroup["scopes"] = ["item:read"],
) =>
  mountRoutes(
    { name, tag: "Pages", errors: pageErrors(needs.settings), scopes, guests: true, always: ALWAYS },
    routes,
    needs,
  );
