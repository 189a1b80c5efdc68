// Rules of the IIIF for manifests and for information about pictures, written from the Presentation API 3.0 (section 3,
// 4 and 5) and the Image API 3.0 (section 5), with no use of the code that writes them. Each fault names where it is.

type Value = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Value =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isHttp = (value: unknown): boolean =>
  typeof value === "string" && /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value);
const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value > 0;

/** A language map: tags of BCP 47 or `none`, each with a list of texts (4.2). */
function labelFaults(at: string, value: unknown): string[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [`${at} is not a language map`];
  return Object.entries(value).flatMap(([tag, texts]) => {
    const isTag = tag === "none" || Intl.getCanonicalLocales(tag).length === 1;
    const areTexts = listOf(texts).length > 0 && listOf(texts).every((text) => typeof text === "string" && text !== "");
    return [...(isTag ? [] : [`${at}.${tag} is not a language`]), ...(areTexts ? [] : [`${at}.${tag} has no texts`])];
  });
}

/** External resources: address and type, and a label where people choose by it (3.3). */
function linkedFaults(at: string, value: unknown, isLabelled: boolean): string[] {
  if (value === undefined) return [];
  if (listOf(value).length === 0) return [`${at} is not a list`];
  return listOf(value).flatMap((each, index) => {
    if (!isObject(each)) return [`${at}[${index}] is not an object`];
    const here = `${at}[${index}]`;
    return [
      ...(isHttp(each.id) ? [] : [`${here}.id`]),
      ...(typeof each.type === "string" && /^[A-Z]/.test(each.type) ? [] : [`${here}.type`]),
      ...(/^[a-z]+\/[\w.+-]+$/.test(String(each.format)) ? [] : [`${here}.format`]),
      ...(isLabelled || each.label !== undefined ? labelFaults(`${here}.label`, each.label) : []),
    ];
  });
}

function statementFaults(at: string, value: unknown): string[] {
  if (!isObject(value)) return [`${at} is not an object`];
  return [...labelFaults(`${at}.label`, value.label), ...labelFaults(`${at}.value`, value.value)];
}

/** What of a manifest is against the Presentation API. */
export function manifestFaults(manifest: Value): readonly string[] {
  const { rights, metadata, requiredStatement, summary } = manifest;
  const canvases = listOf(manifest.items);
  const ids: string[] = [];
  const faults = [
    ...(manifest["@context"] === "http://iiif.io/api/presentation/3/context.json" ? [] : ["@context"]),
    ...(isHttp(manifest.id) ? [] : ["id"]),
    ...(manifest.type === "Manifest" ? [] : ["type"]),
    ...labelFaults("label", manifest.label),
    ...(summary === undefined ? [] : labelFaults("summary", summary)),
    ...(rights === undefined || /^http:\/\/(?:creativecommons\.org|rightsstatements\.org)\//.test(String(rights))
      ? []
      : ["rights"]),
    ...(requiredStatement === undefined ? [] : statementFaults("requiredStatement", requiredStatement)),
    ...listOf(metadata).flatMap((each, at) => statementFaults(`metadata[${at}]`, each)),
    ...linkedFaults("homepage", manifest.homepage, true),
    ...linkedFaults("seeAlso", manifest.seeAlso, false),
    ...linkedFaults("rendering", manifest.rendering, true),
    ...linkedFaults("thumbnail", manifest.thumbnail, false),
    // At least one canvas (5.2).
    ...(canvases.length === 0 ? ["items are empty"] : []),
    ...canvases.flatMap((each, at) => canvasFaults(`items[${at}]`, each, ids)),
  ];
  return new Set(ids).size === ids.length ? faults : [...faults, "ids are not unique"];
}

function canvasFaults(at: string, canvas: unknown, ids: string[]): string[] {
  if (!isObject(canvas)) return [`${at} is not an object`];
  const { id, type, width, height, label, summary, rendering } = canvas;
  ids.push(String(id));
  return [
    // The address of a canvas has no fragment (5.3).
    ...(isHttp(id) && !String(id).includes("#") ? [] : [`${at}.id`]),
    ...(type === "Canvas" ? [] : [`${at}.type`]),
    ...(isCount(width) && isCount(height) ? [] : [`${at} has no size`]),
    ...(label === undefined ? [] : labelFaults(`${at}.label`, label)),
    ...(summary === undefined ? [] : labelFaults(`${at}.summary`, summary)),
    ...linkedFaults(`${at}.rendering`, rendering, true),
    ...listOf(canvas.items).flatMap((page, number) => pageFaults(`${at}.items[${number}]`, page, String(id), ids)),
  ];
}

function pageFaults(at: string, page: unknown, canvas: string, ids: string[]): string[] {
  if (!isObject(page)) return [`${at} is not an object`];
  ids.push(String(page.id));
  return [
    ...(isHttp(page.id) && page.type === "AnnotationPage" ? [] : [`${at} is not a page`]),
    ...listOf(page.items).flatMap((each) => {
      if (!isObject(each) || !isObject(each.body)) return [`${at} has no annotation`];
      ids.push(String(each.id));
      const { id, type, format, width, height, service } = each.body;
      return [
        ...(each.type === "Annotation" && each.motivation === "painting" && isHttp(each.id)
          ? []
          : [`${at} annotation`]),
        // Painted on the canvas that contains it (5.6).
        ...(each.target === canvas ? [] : [`${at} has another target`]),
        ...(isHttp(id) && type === "Image" && /^image\//.test(String(format)) ? [] : [`${at} body`]),
        ...(isCount(width) && isCount(height) ? [] : [`${at} body has no size`]),
        ...listOf(service).flatMap((one) =>
          isObject(one) && isHttp(one.id) && one.type === "ImageService3" && one.profile === "level0"
            ? []
            : [`${at} service`],
        ),
      ];
    }),
  ];
}

/** What of the information about a picture is against the Image API. */
export function infoFaults(info: Value): readonly string[] {
  const { id, sizes, width, height } = info;
  return [
    ...(info["@context"] === "http://iiif.io/api/image/3/context.json" ? [] : ["@context"]),
    ...(isHttp(id) && !String(id).endsWith("/") ? [] : ["id"]),
    ...(info.type === "ImageService3" ? [] : ["type"]),
    ...(info.protocol === "http://iiif.io/api/image" ? [] : ["protocol"]),
    ...(["level0", "level1", "level2"].includes(String(info.profile)) ? [] : ["profile"]),
    ...(isCount(width) && isCount(height) ? [] : ["size"]),
    ...listOf(sizes).flatMap((each) =>
      isObject(each) && isCount(each.width) && isCount(each.height) ? [] : ["sizes"],
    ),
    // Formats that are preferred are formats that there are: those of the level, and the extra ones (5.5, 5.7).
    ...listOf(info.preferredFormats).flatMap((each) =>
      each === "jpg" || listOf(info.extraFormats).includes(each) ? [] : ["preferredFormats"],
    ),
  ];
}
