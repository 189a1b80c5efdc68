// Metadata that are long in one path: for each list of the model one item in which that list has very many members
// (R9a).
import { Kind, type TSchema } from "@sinclair/typebox";
import { Metadata } from "../../src/model/metadata/metadata.ts";
import { isMetadata } from "../../src/model/metadata/metadata-schema.ts";

type Making = { readonly longest: string; readonly count: number; readonly isAlike: boolean };

function made(schema: TSchema, path: string, index: number, making: Making): unknown {
  switch (schema[Kind]) {
    case "String":
      return path.endsWith(".lang") ? "en" : `${path.split(".").at(-1)}${making.isAlike ? "" : ` ${index}`}`;
    case "Boolean":
      return false;
    case "Number":
      return index + 1;
    case "Null":
      return null;
    case "Literal":
      return schema.const;
    case "Any":
      return `free ${index}`;
    case "Record":
      return {};
    case "Union":
      return made(schema.anyOf[0], path, index, making);
    case "Array": {
      const count = path === making.longest ? making.count : 1;
      return Array.from({ length: count }, (_, at) => made(schema.items, path, count === 1 ? index : at, making));
    }
    default:
      return Object.fromEntries(
        Object.entries<TSchema>(schema.properties).map(([name, each]) => [
          name,
          made(each, path === "" ? name : `${path}.${name}`, index, making),
        ]),
      );
  }
}

/** An item with `count` members in the list at a path, all alike or all different. */
export function giantAt(longest: string, count: number, isAlike: boolean): Metadata {
  const metadata = made(Metadata, "", 0, { longest, count, isAlike });
  if (!isMetadata(metadata)) throw new TypeError(`No metadata can be made that are long in ${longest}`);
  return metadata;
}
