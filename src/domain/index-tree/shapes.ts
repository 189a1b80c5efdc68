// How an index is answered (specification 2, "Index resource" and "Index tree endpoints"; R24): the echo of a change, and the tree as JSON text
// written node by node, so that a tree of any size and depth is sent without being held.
import type { IndexNode } from "../repository/index-node.ts";

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

const INDENT = 4;

/** What stands between the parts of the text, for compact and for readable JSON. */
type Layout = { readonly colon: string; readonly line: (level: number) => string };
const COMPACT: Layout = { colon: ":", line: () => "" };
const PRETTY: Layout = { colon: ": ", line: (level) => `\n${" ".repeat(INDENT * level)}` };

/** The members of a node, `children` left out, each on a line of `level`. */
function members(node: IndexNode, path: string, { colon, line }: Layout, level: number): string {
  const next = `,${line(level)}`;
  const name = JSON.stringify(node.indexName);
  const english = JSON.stringify(node.indexNameEnglish);
  const inner = line(level + 1);
  return `"pid"${colon}${node.parent}${next}"cid"${colon}${node.id}${next}"position"${colon}${node.position}${next}"name"${colon}${name}${next}"link_name"${colon}${JSON.stringify(node.indexLinkName)}${next}"index_link_enabled"${colon}${node.indexLinkEnabled}${next}"public_state"${colon}${node.publicState}${next}"public_date"${colon}"${compactDay(node.publicDate) ?? ""}"${next}"browsing_role"${colon}"${node.browsingRole.join()}"${next}"contribute_role"${colon}"${node.contributeRole.join()}"${next}"browsing_group"${colon}"${node.browsingGroup.join()}"${next}"contribute_group"${colon}"${node.contributeGroup.join()}"${next}"more_check"${colon}${node.moreCheck}${next}"display_no"${colon}${node.displayNo}${next}"coverpage_state"${colon}${node.coverpageState}${next}"recursive_coverpage_check"${colon}${node.recursiveCoverpageCheck}${next}"is_deleted"${colon}${node.deletedAt !== null}${next}"id"${colon}"${node.id}"${next}"value"${colon}${name}${next}"emitLoadNextLevel"${colon}false${next}"settings"${colon}{${inner}"isCollapsedOnInit"${colon}false,${inner}"checked"${colon}false${line(level)}}${path === "" ? "" : `${next}"parent"${colon}"${path}"`}${next}"index_name"${colon}${name}${next}"index_name_english"${colon}${english}${next}"index_link_name_english"${colon}${JSON.stringify(node.indexLinkNameEnglish)}${next}"value_english"${colon}${english}`;
}

const ROOT_NAME = "Root-index";

/** The members of the root, which is no index. */
function rootMembers({ colon, line }: Layout, level: number): string {
  const root: readonly (readonly [string, unknown])[] = [
    ["cid", 0],
    ["name", ROOT_NAME],
    ["id", "0"],
    ["public_state", true],
    ["value", ROOT_NAME],
    ["index_name", ROOT_NAME],
    ["index_name_english", ROOT_NAME],
    ["index_link_name_english", ""],
    ["value_english", ROOT_NAME],
  ];
  return root.map(([name, value]) => `"${name}"${colon}${JSON.stringify(value)}`).join(`,${line(level)}`);
}

/**
 * Writes `{"index": {…, "children": […]}}` piece by piece: `start` for the whole tree, then every node with its depth, then `end`. Without
 * `start` the first node, of depth 0, is itself the `index`. Depths may grow by one only.
 */
export function treeText(pretty: boolean) {
  const layout = pretty ? PRETTY : COMPACT;
  const { colon, line } = layout;
  /** Objects that are open below the wrapper, and whether the innermost has children yet. */
  let open = 0;
  let filled = false;

  const opened = (text: string): string => {
    const level = 2 * open + 2;
    open += 1;
    filled = false;
    return `{${line(level)}${text},${line(level)}"children"${colon}[`;
  };
  const close = (): string => {
    open -= 1;
    const level = 2 * open + 2;
    const text = `${filled ? line(level) : ""}]${line(level - 1)}}`;
    filled = true;
    return text;
  };
  const wrapper = (): string => `{${line(1)}"index"${colon}`;
  let top = 0;

  return {
    start(): string {
      top = 1;
      return wrapper() + opened(rootMembers(layout, 2));
    },
    node(node: IndexNode, depth: number, path: string): string {
      let text = "";
      while (open > depth + top) text += close();
      if (open === 0) text += wrapper();
      else text += `${filled ? "," : ""}${line(2 * open + 1)}`;
      return text + opened(members(node, path, layout, 2 * open + 2));
    },
    end(): string {
      let text = "";
      while (open > 0) text += close();
      return `${text}${line(0)}}${pretty ? "\n" : ""}`;
    },
  };
}
