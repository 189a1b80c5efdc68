// Pictures of records for viewers elsewhere (Q.134 to Q.137): the IIIF Presentation API 3.0, and the Image API 3.0 at
// level 0, at the addresses that clients of existing record repositories ask.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../../src/auth/account.ts";
import { IMAGE_CONTEXT, ImageInfoShape, ManifestShape, PRESENTATION_CONTEXT } from "../../../src/formats/iiif/iiif.ts";
import { unknownRecord } from "../../../src/model/input/record-refusals.ts";
import type { RecordPictures } from "../../../src/repository/viewers/iiif.ts";
import type { ItemId } from "../../../src/shared/ids.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { fileResponse } from "../file-response.ts";
import { recordGroup, recordIdOf } from "../record-dialect.ts";

type Services = {
  readonly pictures: RecordPictures;
  readonly storage: Pick<Storage, "read">;
  readonly rootPath: string;
};

const GROUP = recordGroup({
  name: "iiif",
  tag: "Pictures",
  rateGroup: "records",
  scopes: ["item:read"],
  access: "anyone",
  ofOne: [404, 410],
  pathParameters: {
    uuid: "`record:`, the number of the record, `:` and the key of the file, percent-encoded",
    region: "`full`",
    size: "`max`, or width and height of the picture",
    rotation: "`0`",
    quality: "`default.` and the format of the file, such as `jpg`",
  },
});

const { get } = endpointsOf<Services>();

const Bytes = Type.String({ format: "binary" });
const LINKED_DATA = "application/ld+json";
const CORS = { "access-control-allow-origin": "*" };

const ENDPOINTS = [
  get("/iiif/:uuid/manifest", {
    id: "readManifest",
    summary: "The pictures of a record as a IIIF manifest",
    description:
      "Of the published record, in its order, with their sizes: those that the caller may read, 500 at most.",
    pathParameters: { uuid: "`record:` and the number of the record" },
    answer: { status: 200, description: "The manifest", schema: ManifestShape, mediaType: LINKED_DATA },
    run: async ({ pictures }, { viewer, request }) => {
      const { id } = recordIn(request);
      return linkedData(await pictures.manifest(viewer, id), PRESENTATION_CONTEXT, isGuest(viewer));
    },
  }),
  get("/iiif/:uuid", {
    id: "findImageInfo",
    summary: "Where the information about a picture is",
    description: "The base address of a picture in the Image API.",
    answer: { status: 303, description: "Its `info.json`", schema: null },
    run: async ({ pictures, rootPath }, { viewer, request }) => {
      const { id, key } = recordIn(request);
      const { isOpen } = await pictures.info(viewer, id, key);
      const location = `${rootPath}/api/iiif/record:${id}:${encodeURIComponent(key)}/info.json`;
      return new Response(null, { status: 303, headers: { location, ...(isOpen ? CORS : {}) } });
    },
  }),
  get("/iiif/:uuid/info.json", {
    id: "readImageInfo",
    summary: "Size and formats of a picture",
    description: "Of the Image API, level 0: the picture as it is, nothing is scaled or converted.",
    answer: { status: 200, description: "The information", schema: ImageInfoShape, mediaType: LINKED_DATA },
    run: async ({ pictures }, { viewer, request }) => {
      const { id, key } = recordIn(request);
      const { info, isOpen } = await pictures.info(viewer, id, key);
      return linkedData(info, IMAGE_CONTEXT, isOpen);
    },
  }),
  get("/iiif/:uuid/:region/:size/:rotation/:quality", {
    id: "readImage",
    summary: "A picture",
    description: "Its bytes, under the media type that they have. Ranges and ETags are answered.",
    answer: { status: 200, description: "The picture", schema: Bytes, mediaType: "image/*" },
    also: {
      206: { description: "The requested range", schema: Bytes, mediaType: "image/*" },
      304: { description: "The caller has it", schema: null },
      416: { description: "The range starts after the end", schema: null },
    },
    refuses: [400],
    run: async ({ pictures, storage }, { viewer, request, params }) => {
      const { id, key } = recordIn(request);
      const { region, size, rotation, quality } = params;
      const asked = { region, size, rotation, file: quality };
      const { file } = await pictures.image(viewer, id, key, asked);
      const response = await fileResponse(request, file, storage);
      if (!file.restricted) response.headers.set("access-control-allow-origin", "*");
      return response;
    },
  }),
];

export const iiifRoutes = ({ guard, ...services }: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(GROUP, ENDPOINTS, services, guard);

/** Who sees only what everybody sees. */
const isGuest = ({ account, links = [] }: Viewer): boolean => account === null && links.length === 0;

/** `record:7`, or `record:7:rivers/map.png` with the key percent-encoded. @throws Refusal `not_found` */
function recordIn(request: Request): { readonly id: ItemId; readonly key: string } {
  const [, segment = ""] = /\/iiif\/([^/]*)/.exec(new URL(request.url).pathname) ?? [];
  try {
    const [, id = "", key = ""] = /^record:(\d+)(?::([\s\S]+))?$/.exec(decodeURIComponent(segment)) ?? [];
    return { id: recordIdOf(id), key };
  } catch {
    throw unknownRecord();
  }
}

/** Scripts of all sites may read what everybody may; other answers are for the caller alone. */
function linkedData(body: object, context: string, isOpen: boolean): Response {
  return Response.json(body, {
    headers: {
      "content-type": `${LINKED_DATA};profile="${context}"`,
      "cache-control": isOpen ? "public, no-cache" : "private, no-store",
      vary: "Authorization, Cookie",
      ...(isOpen ? CORS : {}),
    },
  });
}
