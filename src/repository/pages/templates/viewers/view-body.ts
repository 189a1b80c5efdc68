// What the template of a viewer is given and what it makes (R49).
import type { Html } from "../../../../pages/html.ts";
import type { SiteView } from "../layout.ts";

export type FileViewPlace = {
  /** The page of what the file belongs to, with the mount prefix. */
  readonly back: string;
  /** This page without query. */
  readonly here: string;
  readonly download: string;
  /** The bytes of the file for pictures, players and frames of this page. */
  readonly bytes: string;
  /** The pictures of the item for other viewers; null where not everybody may have the file. */
  readonly manifest: string | null;
  /** As it is shown. */
  readonly name: string;
};

/** `policy`: further sources of the page alone, by directive of its Content-Security-Policy. */
export type ViewBody = {
  readonly body: Html;
  readonly scripts?: readonly string[];
  readonly policy?: Readonly<Record<string, string>>;
};

export type ViewTemplate<Model> = (model: Model, place: FileViewPlace, site: SiteView) => ViewBody;
