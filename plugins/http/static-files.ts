// Scripts and style of the pages (R40, P.1 to P.4), which browsers keep for as long as they like: another content has another
// name.
import { Elysia } from "elysia";
import { findStaticFile, type Look, PLAIN_LOOK } from "../../src/pages/static-files.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { answerWith } from "./answer.ts";
import { arkDialect, errors } from "./errors.ts";

const FOREVER = "public, max-age=31536000, immutable";

/** A picture that is opened by itself runs nothing. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

export const staticFiles = (look: Look = PLAIN_LOOK) =>
  new Elysia({ name: "static-files" })
    .use(errors(arkDialect))
    .get("/static/:name", ({ request, params }) => answer(request, params.name, look), { detail: { hide: true } });

function answer(request: Request, requested: string, look: Look): Response {
  const found = findStaticFile(requested, look);
  if (found === null) throw new ServiceError(1101, { path: `/static/${requested}`.slice(0, 255) });
  const headers = new Headers({
    "content-type": found.file.type,
    "cache-control": found.isCurrent ? FOREVER : "no-cache",
    "x-content-type-options": "nosniff",
  });
  if (found.file.type.startsWith("image/")) headers.set("content-security-policy", PICTURE_POLICY);
  return answerWith(request, found.file.body, { status: 200, headers });
}
