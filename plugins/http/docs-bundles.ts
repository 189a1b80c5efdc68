// The scripts and styles of the pages of docs.ts, five megabytes of text: loaded when somebody first opens such a page,
// for every thread would hold them for nobody.
import redocBundle from "redoc/bundles/redoc.standalone.js" with { type: "text" };
import swaggerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "text" };
import swaggerBundle from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };

/** Redoc would fetch the logo of its vendor; an empty image replaces it. */
const REDOC_LOGO = "https://cdn.redoc.ly/redoc/logo-mini.svg";
const NO_PICTURE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

export const redocScript = redocBundle.replaceAll(REDOC_LOGO, NO_PICTURE);
export const swaggerScript = swaggerBundle;
export { swaggerStyle };
