// Media types by the end of a file's name (R19a). Our own table; what a client declares is believed only where it can
// do no harm.

export const UNKNOWN_MEDIA_TYPE = "application/octet-stream";

/** One line a media type, then the ends of names that mean it. */
const TABLE = `
application/pdf pdf
application/postscript ps eps ai
application/rtf rtf
application/epub+zip epub
application/msword doc dot
application/vnd.ms-excel xls xlt
application/vnd.ms-powerpoint ppt pps
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.oasis.opendocument.text odt
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.graphics odg
application/vnd.justsystem.ichitaro jtd
application/vnd.ms-access mdb accdb
application/vnd.google-earth.kml+xml kml
application/vnd.google-earth.kmz kmz
application/x-tex tex ltx sty cls
application/x-bibtex bib
application/x-research-info-systems ris
application/json json jsonl ndjson ipynb
application/ld+json jsonld
application/geo+json geojson
application/xml xml xsd xsl xslt rdf owl
application/xhtml+xml xhtml
application/yaml yaml yml
application/toml toml
application/sql sql
application/n-triples nt
application/zip zip
application/gzip gz tgz
application/x-bzip2 bz2
application/x-xz xz
application/x-7z-compressed 7z
application/vnd.rar rar
application/x-tar tar
application/zstd zst
application/x-lzh-compressed lzh
application/java-archive jar
application/wasm wasm
application/x-hdf5 h5 hdf5
application/x-netcdf nc cdf
application/vnd.apache.parquet parquet
application/x-matlab-data mat
application/x-spss-sav sav
application/x-stata-dta dta
application/x-sas sas
application/x-r-data rda rdata rds
application/fits fits fit fts
application/dicom dcm
application/x-sqlite3 sqlite sqlite3 db
application/x-shockwave-flash swf
application/x-sh sh bash
application/x-msdownload exe dll
text/plain txt text log md markdown readme ini conf cfg asc
text/csv csv
text/tab-separated-values tsv tab
text/html html htm shtml
text/css css
text/javascript js mjs cjs
text/calendar ics
text/vtt vtt
text/turtle ttl
text/vcard vcf
text/x-python py
text/x-r-source r
text/x-c c h cpp hpp cc
text/x-java-source java
text/x-fortran f f90 f95 for
text/x-perl pl pm
text/x-ruby rb
text/x-typescript tsx
image/jpeg jpg jpeg jpe
image/png png
image/gif gif
image/webp webp
image/avif avif
image/bmp bmp
image/tiff tif tiff
image/heic heic
image/jp2 jp2
image/jxl jxl
image/svg+xml svg svgz
image/vnd.adobe.photoshop psd
image/x-icon ico
audio/mpeg mp3
audio/mp4 m4a
audio/aac aac
audio/ogg oga ogg opus
audio/wav wav
audio/flac flac
audio/midi mid midi
audio/aiff aif aiff
video/mp4 mp4 m4v
video/webm webm
video/ogg ogv
video/quicktime mov
video/x-msvideo avi
video/x-ms-wmv wmv
video/mpeg mpg mpeg
video/x-matroska mkv
font/woff2 woff2
font/woff woff
font/ttf ttf
font/otf otf
model/stl stl
model/obj obj
model/gltf+json gltf
model/gltf-binary glb
model/ply ply
chemical/x-pdb pdb
chemical/x-cif cif
chemical/x-mdl-sdfile sdf
chemical/x-xyz xyz
`;

const BY_END: ReadonlyMap<string, string> = new Map(
  TABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [mediaType = "", ...ends] = line.split(" ");
      return ends.map((end) => [end, mediaType] as const);
    }),
);

/**
 * `type/subtype` in lower case, or null when a text is not a media type (RFC 9110 section 8.3.1). Parameters are
 * dropped.
 */
export function bareMediaType(text: string): string | null {
  const bare = (text.split(";")[0] ?? "").trim().toLowerCase();
  return /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/.test(bare) ? bare : null;
}

/**
 * The media type of a file by its name. What a client declared counts only where the name is not enough; even then it
 * decides nothing about how the file is shown that `isShownInline` would not allow.
 */
export function mediaTypeOf(name: string, declared: string | null = null): string {
  const end = /\.([A-Za-z0-9]{1,10})$/.exec(name)?.[1]?.toLowerCase();
  const known = end === undefined ? undefined : BY_END.get(end);
  return known ?? (declared === null ? null : bareMediaType(declared)) ?? UNKNOWN_MEDIA_TYPE;
}

/** What a browser shows without running anything: PDF, images but SVG, audio, video, plain text (R19a). */
export function isShownInline(mediaType: string): boolean {
  const bare = bareMediaType(mediaType);
  if (bare === null || bare.endsWith("+xml")) return false;
  return bare === "application/pdf" || bare === "text/plain" || /^(?:image|audio|video)\//.test(bare);
}

/** The types that browsers run as a script, a module or a worker (WHATWG MIME Sniffing, 4.6), or apply as a style. */
const ACTIVE_TYPE =
  /^(?:(?:text|application)\/(?:x-)?(?:javascript|ecmascript)|text\/(?:javascript1\.[0-5]|jscript|livescript|css))$/;

/**
 * The media type under which a file of a depositor is sent: with `nosniff`, one of our pages that names its address can
 * load it neither as a script nor as a style (R49). Records and exports state the stored type.
 */
export function sentMediaType(mediaType: string): string {
  const bare = bareMediaType(mediaType) ?? UNKNOWN_MEDIA_TYPE;
  return ACTIVE_TYPE.test(bare) ? "text/plain" : bare;
}
