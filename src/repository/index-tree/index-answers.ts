// How an index is answered (specification 2, "Index resource" and "Index tree endpoints"; R24): the echo of a change, and the tree as JSON text
// written node by node, so that a tree of any size and depth is sent without being held.
import { type IndexNode, type IndexShown, ROOT_INDEX } from "../model/index-node.ts";

/** `YYYYMMDD` of a day, null where there is none. */
const compactDay = (day: string | null): string | null => (day === null ? null : day.replaceAll("-", ""));

/** The answer of POST and PUT: the request's shape with `id`, `position`, `created`, `updated`. */
export type IndexEcho = ReturnType<typeof echoOf>;

export function echoOf(node: IndexNode) {
  return {
    id: node.id,
    parent: node.parent,
    position: node.position,
    index_name: node.indexName,
    index_name_english: node.indexNameEnglish,
    index_link_name: node.indexLinkName,
    index_link_name_english: node.indexLinkNameEnglish,
    index_link_enabled: node.indexLinkEnabled,
    comment: node.comment,
    more_check: node.moreCheck,
    display_no: node.displayNo,
    harvest_public_state: node.harvestPublicState,
    display_format: node.displayFormat,
    public_state: node.publicState,
    public_date: compactDay(node.publicDate),
    recursive_public_state: node.recursivePublicState,
    rss_status: node.rssStatus,
    coverpage_state: node.coverpageState,
    recursive_coverpage_check: node.recursiveCoverpageCheck,
    browsing_role: node.browsingRole.join(),
    recursive_browsing_role: node.recursiveBrowsingRole,
    contribute_role: node.contributeRole.join(),
    recursive_contribute_role: node.recursiveContributeRole,
    browsing_group: node.browsingGroup.join(),
    recursive_browsing_group: node.recursiveBrowsingGroup,
    contribute_group: node.contributeGroup.join(),
    recursive_contribute_group: node.recursiveContributeGroup,
    online_issn: node.onlineIssn,
    created: node.createdAt,
    updated: node.updatedAt,
  };
}

const texts = new WeakMap<readonly number[], string>();

/** Lists of ids are shared by many indexes: each is written once. */
function idText(ids: readonly number[]): string {
  const known = texts.get(ids);
  if (known !== undefined) return known;
  const text = ids.join();
  texts.set(ids, text);
  return text;
}

/** A node as GET shows it, without its children. */
function shown(node: IndexShown, path: string) {
  return {
    pid: node.parent,
    cid: node.id,
    position: node.position,
    name: node.indexName,
    link_name: node.indexLinkName,
    index_link_enabled: node.indexLinkEnabled,
    public_state: node.publicState,
    public_date: compactDay(node.publicDate) ?? "",
    browsing_role: idText(node.browsingRole),
    contribute_role: idText(node.contributeRole),
    browsing_group: idText(node.browsingGroup),
    contribute_group: idText(node.contributeGroup),
    more_check: node.moreCheck,
    display_no: node.displayNo,
    coverpage_state: node.coverpageState,
    recursive_coverpage_check: node.recursiveCoverpageCheck,
    is_deleted: node.deletedAt !== null,
    id: String(node.id),
    value: node.indexName,
    emitLoadNextLevel: false,
    settings: { isCollapsedOnInit: false, checked: false },
    ...(path === "" ? {} : { parent: path }),
    index_name: node.indexName,
    index_name_english: node.indexNameEnglish,
    index_link_name_english: node.indexLinkNameEnglish,
    value_english: node.indexNameEnglish,
  };
}

const ROOT_NAME = "Root-index";
/** The root, which is no index. */
const ROOT = {
  cid: ROOT_INDEX,
  name: ROOT_NAME,
  id: String(ROOT_INDEX),
  public_state: true,
  value: ROOT_NAME,
  index_name: ROOT_NAME,
  index_name_english: ROOT_NAME,
  index_link_name_english: "",
  value_english: ROOT_NAME,
};

const INDENT = 4;
const newLine = (level: number): string => `\n${" ".repeat(INDENT * level)}`;
const noLine = (): string => "";

/** An object without its last brace, where more members are to follow: it stands on `level` itself. */
function unclosed(object: object, pretty: boolean, level: number): string {
  if (!pretty) return `${JSON.stringify(object).slice(0, -1)},`;
  return `${JSON.stringify(object, null, INDENT).slice(0, -2).replaceAll("\n", newLine(level))},`;
}

/**
 * Writes `{"index": {…, "children": […]}}` piece by piece: `start` for the whole tree, then every node with its depth, then `end`. Without
 * `start` the first node, of depth 0, is itself the `index`. Depths may grow by one only. `bare`: `[{…, "children": […]}]`, the indexes below the
 * root and nothing around them.
 */
export function treeText(pretty: boolean, bare = false) {
  const line = pretty ? newLine : noLine;
  const colon = pretty ? ": " : ":";
  /** Objects that are open below the wrapper, and whether the innermost has children yet. */
  let open = 0;
  let filled = false;
  /** Objects above the nodes of depth 0. */
  let top = 0;

  const opened = (object: object): string => {
    const level = 2 * open + 1;
    open += 1;
    filled = false;
    return `${unclosed(object, pretty, level)}${line(level + 1)}"children"${colon}[`;
  };
  const close = (): string => {
    open -= 1;
    const level = 2 * open + 1;
    const text = `${filled ? line(level + 1) : ""}]${line(level)}}`;
    filled = true;
    return text;
  };
  const wrapper = (): string => `{${line(1)}"index"${colon}`;

  return {
    start(): string {
      if (bare) return "[";
      top = 1;
      return wrapper() + opened(ROOT);
    },
    node(node: IndexShown, depth: number, path: string): string {
      let text = "";
      while (open > depth + top) text += close();
      if (open === 0 && !bare) text += wrapper();
      else text += `${filled ? "," : ""}${line(2 * open + 1)}`;
      return text + opened(shown(node, path));
    },
    end(): string {
      let text = "";
      while (open > 0) text += close();
      const last = bare ? `${filled ? line(0) : ""}]` : `${line(0)}}`;
      return `${text}${last}${pretty ? "\n" : ""}`;
    },
  };
}
