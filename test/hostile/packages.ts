// Packages to refuse, to accept, and to do either with (R13): each line of the three lists as a ZIP archive made here.
// Every refusal is right in all but the one property that its name gives.
import type { SwordMessageNumber } from "../../src/repository/deposit/messages.ts";
import { acceptedPackages } from "./packages-accepted.ts";
import { bagFaults } from "./packages-bags.ts";
import { eitherPackages } from "./packages-either.ts";
import { metadataFaults } from "./packages-metadata.ts";
import { structureFaults } from "./packages-structure.ts";

export type HostilePackage = {
  readonly name: string;
  /** Made when requested, each time again; a few have a dozen megabytes. */
  readonly bytes: Uint8Array;
  readonly list: "refuse" | "accept" | "either";
  readonly packaging: "SimpleZip" | "SWORDBagIt";
  /**
   * Which layer has to notice: the archive, the bag, the detection, the metadata reader. Null when nothing is wrong.
   */
  readonly level: "zip" | "bag" | "packaging" | "metadata" | null;
  /** Of a refusal: 400, or 415 with messages 16, 17, 18. */
  readonly status: 400 | 415 | null;
  /**
   * Where the number is fixed: bags and packagings. Null otherwise; archives and metadata are ContentMalformed in any
   * case.
   */
  readonly message: SwordMessageNumber | null;
  /**
   * Files an item made of it has, by their flattened name, in no particular order; left out when the test need not
   * look.
   */
  readonly expectFiles?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
};

/** How a list writes one of its lines. */
export type Line = Omit<HostilePackage, "bytes" | "list" | "status" | "message" | "packaging"> & {
  readonly build: () => Uint8Array;
  readonly packaging?: HostilePackage["packaging"];
  readonly message?: SwordMessageNumber;
};

const MESSAGES_415: readonly number[] = [16, 17, 18];

function packageOf(list: HostilePackage["list"], { build, packaging, message, ...line }: Line): HostilePackage {
  const number = message ?? (line.level === "bag" ? 24 : null);
  const refused = number !== null && MESSAGES_415.includes(number) ? 415 : 400;
  return {
    ...line,
    get bytes() {
      return build();
    },
    list,
    packaging: packaging ?? "SimpleZip",
    status: list === "refuse" ? refused : null,
    message: number,
  };
}

/** All of them. Names are unique. */
export function hostilePackages(): readonly HostilePackage[] {
  return [
    ...[...structureFaults(), ...bagFaults(), ...metadataFaults()].map((line) => packageOf("refuse", line)),
    ...acceptedPackages().map((line) => packageOf("accept", line)),
    ...eitherPackages().map((line) => packageOf("either", line)),
  ];
}
