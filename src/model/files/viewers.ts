// Which viewers suit a file (R49, Q.80): one row a viewer, by media type as stored and by the end of the name. What the
// bytes are is checked by the viewer itself, before anything is shown.
import { bareMediaType } from "../../shared/http/media-types.ts";
import { most } from "../../shared/limits.ts";
import { writtenName } from "./file-names.ts";

type ViewerRow = {
  readonly kind: string;
  readonly types: RegExp;
  /** Ends of names, in lower case, without the dot. */
  readonly ends: readonly string[];
  /** The whole name, of files that are called by one name. */
  readonly names?: RegExp;
  /** The largest file that is read for it; null: it reads only parts of the file, each with a limit. */
  readonly mostBytes: number | null;
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Ends of files of programs and of other plain texts whose media type is unknown or is not that of a text. */
const TEXT_ENDS =
  words(`txt text log asc md markdown rst adoc tex ltx sty cls bib ris ini conf cfg toml yaml yml env sql nt
  ttl sh bash bat ps1 py r rmd c h cc cpp hpp java kt swift go rs f f90 f95 for pl pm rb php lua jl m scala hs ml clj lisp el
  ts tsx js mjs cjs jsx css scss html htm xhtml svg csv tsv json jsonl ndjson geojson jsonld ipynb xml xsd xsl rdf owl kml gml
  vtt srt ics vcf diff patch gitignore makefile dockerfile`);

/** The first that suits a file is offered; the last is text, as which all of the others can be read that are text. */
const VIEWERS = [
  {
    kind: "crate",
    types: /^$/,
    ends: [],
    names: /(?:^|\/)ro-crate-metadata\.json(?:ld)?$/,
    mostBytes: most("viewDataBytes"),
  },
  {
    kind: "zip",
    types: /^application\/(?:x-)?zip(?:-compressed)?$/,
    ends: words("zip jar epub cbz whl"),
    mostBytes: null,
  },
  { kind: "pdf", types: /^application\/(?:x-)?pdf$/, ends: ["pdf"], mostBytes: null },
  {
    kind: "table",
    types: /^text\/(?:csv|tab-separated-values)$/,
    ends: words("csv tsv tab"),
    mostBytes: null,
  },
  {
    kind: "markdown",
    types: /^text\/(?:x-)?markdown$/,
    ends: words("md markdown mkd"),
    mostBytes: most("viewMarkdownBytes"),
  },
  {
    kind: "picture",
    types: /^image\//,
    ends: words("jpg jpeg jpe png gif webp avif svg tif tiff bmp heic heif jp2 jxl psd"),
    mostBytes: most("viewPictureBytes"),
  },
  {
    kind: "player",
    types: /^(?:audio|video)\//,
    ends: words("mp3 m4a aac ogg oga opus wav flac mid midi aif aiff mp4 m4v webm ogv mov avi wmv mpg mpeg mkv"),
    mostBytes: null,
  },
  {
    kind: "map",
    types: /^application\/(?:vnd\.)?geo\+json$/,
    ends: ["geojson"],
    mostBytes: most("viewMapBytes"),
  },
  {
    kind: "workbook",
    types: /^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet$/,
    ends: words("xlsx xlsm"),
    mostBytes: null,
  },
  {
    kind: "notebook",
    types: /^application\/x-ipynb\+json$/,
    ends: ["ipynb"],
    mostBytes: most("viewNotebookBytes"),
  },
  {
    kind: "json",
    types: /^application\/(?:.*[+/.-])?json$/,
    ends: words("json ipynb jsonld geojson topojson webmanifest"),
    mostBytes: most("viewDataBytes"),
  },
  {
    kind: "xml",
    types: /^(?:text|application)\/(?:.*[+/.-])?xml$/,
    ends: words("xml xsd xsl xslt rdf owl kml gml tei mods svg"),
    mostBytes: most("viewDataBytes"),
  },
  {
    kind: "text",
    types:
      /^(?:text\/.*|application\/(?:.*[+/.-])?(?:json|xml|yaml|toml|sql|javascript|x-(?:tex|bibtex|sh|research-info-systems)|n-triples))$|^image\/svg\+xml$/,
    ends: TEXT_ENDS,
    mostBytes: null,
  },
] as const satisfies readonly ViewerRow[];

export type ViewerKind = (typeof VIEWERS)[number]["kind"];

type NamedFile = { readonly name: string; readonly mediaType: string };

const ROWS: readonly (ViewerRow & { readonly kind: ViewerKind })[] = VIEWERS;

/** The viewers of a file, the best first; none where nothing can be shown. */
export function viewersOf({ name, mediaType }: NamedFile): readonly ViewerKind[] {
  const type = bareMediaType(mediaType) ?? "";
  const end = endOf(name);
  return ROWS.filter(
    ({ types, ends, names }) => ends.includes(end) || types.test(type) || names?.test(writtenName(name)) === true,
  ).map(({ kind }) => kind);
}

/** The largest file that a viewer reads; null: it reads parts. */
export const viewerBytes = (kind: ViewerKind): number | null =>
  ROWS.find((each) => each.kind === kind)?.mostBytes ?? null;

/** The end of the name of a file, in lower case; of a name without one, the name. */
export function endOf(name: string): string {
  const last = writtenName(name).split("/").at(-1) ?? "";
  return last.slice(last.lastIndexOf(".") + 1).toLowerCase();
}
