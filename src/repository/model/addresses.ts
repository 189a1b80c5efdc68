// Every public address the repository gives out, in one place (R5, R9, R12, R33): pages, interfaces, ARKs.
import { SIGN_IN_PATH } from "../../shared/return-path.ts";
import { withoutEnd } from "../../shared/text-ends.ts";

export const SERVICE_DOCUMENT_PATH = "/sword/service-document";
export const landingPath = (id: number): string => `/records/${id}`;
/** The name is encoded once, whatever it is. */
export const filePath = (id: number, name: string): string => `${landingPath(id)}/files/${encodeURIComponent(name)}`;

/** `base`: the public address of the repository; `resolver`: where ARKs resolve. */
export function addressesUnder({ base, resolver }: { readonly base: string; readonly resolver: string }) {
  const [baseUrl, resolverUrl] = [withoutEnd(base, "/"), withoutEnd(resolver, "/")];
  return {
    /** Without slash at the end. */
    baseUrl,
    /** Browsers keep `__Host-` cookies behind https only. */
    isSecure: baseUrl.startsWith("https:"),
    landingPage: (id: number): string => baseUrl + landingPath(id),
    filePage: (id: number, name: string): string => baseUrl + filePath(id, name),
    indexPage: (id: number): string => `${baseUrl}/index/${id}`,
    activityPage: (id: string): string => `${baseUrl}/workflow/activity/detail/${id}`,
    signInLink: (token: string): string => `${baseUrl}${SIGN_IN_PATH}/${token}`,
    /** Where an identity provider sends people back to. */
    signInCallback: `${baseUrl}/account/oidc/callback`,
    siteMap: `${baseUrl}/sitemap.xml`,
    siteMapPart: (part: number): string => `${baseUrl}/sitemap/${part}`,
    serviceDocument: baseUrl + SERVICE_DOCUMENT_PATH,
    /** The Object-URL of an item. */
    deposit: (id: number): string => `${baseUrl}/sword/deposit/${id}`,
    /** Where an ARK (`naan/name`) resolves. */
    arkUrl: (ark: string): string => `${resolverUrl}/ark:${ark}`,
  };
}

export type Addresses = ReturnType<typeof addressesUnder>;
