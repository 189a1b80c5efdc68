// The header of the PROXY protocol, versions 1 and 2: what is read, what is refused, cut at every byte (Q.276, Q.277).
import { describe, expect, test } from "bun:test";
import { type ProxyHeader, readProxyHeader, TEXT_MAX } from "../../src/shared/http/proxy-header.ts";
import { LIMITS } from "../../src/shared/limits.ts";
import { rng } from "../hostile/generate.ts";
import { binaryHeader, REST } from "../support/proxy-headers.ts";

const read = (text: string): ProxyHeader => readProxyHeader(Buffer.from(text, "latin1"));
const six = (...groups: number[]): number[] => groups.flatMap((group) => [group >> 8, group & 255]);
const DOCUMENTATION = six(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0x17);

const GOOD: readonly (readonly [what: string, header: string, address: string | null])[] = [
  ["TCP4", "PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n", "192.0.2.7"],
  ["TCP4 with the least numbers", "PROXY TCP4 0.0.0.0 0.0.0.0 0 0\r\n", "0.0.0.0"],
  ["TCP6", "PROXY TCP6 2001:DB8::17 2001:db8::1 65535 443\r\n", "2001:db8::17"],
  [
    "TCP6, the longest",
    `PROXY TCP6 ${"ffff:".repeat(7)}ffff ${"ffff:".repeat(7)}ffff 65535 65535\r\n`,
    `${"ffff:".repeat(7)}ffff`,
  ],
  ["TCP6 with an IPv4 address inside", "PROXY TCP6 ::ffff:192.0.2.7 ::ffff:198.51.100.1 1 2\r\n", "192.0.2.7"],
  ["UNKNOWN", "PROXY UNKNOWN\r\n", null],
  ["UNKNOWN with anything", `PROXY UNKNOWN ${"ffff:".repeat(7)}ffff ${"ffff:".repeat(7)}ffff 65535 65535\r\n`, null],
  ["version 2, IPv4", binaryHeader({ address: [192, 0, 2, 7] }), "192.0.2.7"],
  ["version 2, IPv6", binaryHeader({ family: 0x21, address: DOCUMENTATION }), "2001:db8::17"],
  [
    "version 2, IPv6 with zeros at both ends",
    binaryHeader({ family: 0x21, address: six(0, 0, 1, 0, 0, 0, 0, 2) }),
    "0:0:1::2",
  ],
  ["version 2, all of IPv6", binaryHeader({ family: 0x21, address: six(0, 0, 0, 0, 0, 0, 0, 0) }), "::"],
  ["version 2, this machine", binaryHeader({ family: 0x21, address: six(0, 0, 0, 0, 0, 0, 0, 1) }), "::1"],
  [
    "version 2, IPv4 in IPv6",
    binaryHeader({ family: 0x21, address: six(0, 0, 0, 0, 0, 0xffff, 0xc000, 0x207) }),
    "192.0.2.7",
  ],
  [
    "version 2 with values",
    binaryHeader({ address: [192, 0, 2, 7], values: "\x04\x00\x03abc\xea\x00\x02vv" }),
    "192.0.2.7",
  ],
  ["version 2 LOCAL", binaryHeader({ command: 0x20, family: 0, length: 0 }), null],
  ["version 2 LOCAL with an address", binaryHeader({ command: 0x20, address: [192, 0, 2, 7] }), null],
  [
    "version 2 LOCAL of a family that nobody knows",
    binaryHeader({ command: 0x20, family: 0xff, length: 3, values: "abc" }),
    null,
  ],
  ["version 2 of no family", binaryHeader({ family: 0, length: 5, values: "abcde" }), null],
  ["version 2 of a socket in a folder", binaryHeader({ family: 0x31, length: 216, values: "/".repeat(216) }), null],
  [
    "version 2, the longest",
    binaryHeader({ address: [1, 2, 3, 4], values: "v".repeat(LIMITS.proxyHeaderBytes.most - 28) }),
    "1.2.3.4",
  ],
];

const v1 = (line: string): string => `PROXY ${line}\r\n`;
const WRONG: readonly (readonly [what: string, header: string])[] = [
  ["HTTP", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["nothing but a line end", "\r\nGET / HTTP/1.1\r\n\r\n"],
  ["lower case", "proxy TCP4 1.2.3.4 1.2.3.4 1 2\r\n"],
  ["no space", "PROXYTCP4 1.2.3.4 1.2.3.4 1 2\r\n"],
  ...[
    ...["", "TCP4", "TCP5 1.2.3.4 1.2.3.4 1 2", "tcp4 1.2.3.4 1.2.3.4 1 2", "UDP4 1.2.3.4 1.2.3.4 1 2", "UNKNOWNX"],
    ...[
      " TCP4 1.2.3.4 1.2.3.4 1 2",
      "TCP4  1.2.3.4 1.2.3.4 1 2",
      "TCP4 1.2.3.4 1.2.3.4 1 2 ",
      "TCP4\t1.2.3.4 1.2.3.4 1 2",
    ],
    ...["TCP4 1.2.3.4 1.2.3.4 1", "TCP4 1.2.3.4 1.2.3.4 1 2 3", "TCP4 1.2.3.4 1 2", "TCP4 1.2.3 1.2.3.4 1 2"],
    ...[
      "TCP4 1.2.3.256 1.2.3.4 1 2",
      "TCP4 1.2.3.4 1.2.3.999 1 2",
      "TCP4 01.2.3.4 1.2.3.4 1 2",
      "TCP4 1.2.3.4. 1.2.3.4 1 2",
    ],
    ...["TCP4 1.2.3.4.5 1.2.3.4 1 2", "TCP4 ::1 1.2.3.4 1 2", "TCP4 1.2.3.4 ::1 1 2", "TCP4 0x1.2.3.4 1.2.3.4 1 2"],
    ...[
      "TCP4 1.2.3.4 1.2.3.4 65536 2",
      "TCP4 1.2.3.4 1.2.3.4 1 99999",
      "TCP4 1.2.3.4 1.2.3.4 01 2",
      "TCP4 1.2.3.4 1.2.3.4 -1 2",
    ],
    ...["TCP6 1.2.3.4 ::1 1 2", "TCP6 ::1 1.2.3.4 1 2", "TCP6 ::1::2 ::1 1 2", "TCP6 1:2:3:4:5:6:7:8:9 ::1 1 2"],
    ...[
      "TCP6 1:2:3 ::1 1 2",
      "TCP6 ::g ::1 1 2",
      "TCP6 [::1] ::1 1 2",
      "TCP6 ::1%eth0 ::1 1 2",
      "TCP6 ::ffff:010.0.0.1 ::1 1 2",
      "TCP6 12345::1 ::1 1 2",
    ],
    ...["TCP4 1.2.3.4 1.2.3.4 1 2\rX", "TCP4 1.2.3.4\0 1.2.3.4 1 2"],
  ].map((line) => [v1(line), v1(line)] as const),
  ["a bare line feed", "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n"],
  ["a line that is too long", `PROXY UNKNOWN ${"x".repeat(TEXT_MAX - 15)}\r\n`],
  ["version 1 in binary", binaryHeader({ command: 0x11 })],
  ["version 3", binaryHeader({ command: 0x31 })],
  ["an unknown command", binaryHeader({ command: 0x22 })],
  ["datagrams", binaryHeader({ family: 0x12 })],
  ["an unknown transport", binaryHeader({ family: 0x13 })],
  ["an unknown family", binaryHeader({ family: 0x41, length: 300 })],
  ["addresses that are too short", binaryHeader({ length: 11 })],
  ["addresses of IPv6 that are too short", binaryHeader({ family: 0x21, length: 35 })],
  ["a socket in a folder that is too short", binaryHeader({ family: 0x31, length: 215 })],
  ["a header that is too long", binaryHeader({ length: LIMITS.proxyHeaderBytes.most - 15 })],
  ["the longest length", binaryHeader({ length: 65_535 })],
  ["another signature", binaryHeader({}).replace("QUIT", "QUIP")],
];

describe("Q.276 a PROXY header", () => {
  test.each(GOOD)("%s passes its address, and ends before what follows", (_what, header, address) => {
    for (const rest of ["", REST, header, "\n"]) {
      expect(read(header + rest)).toEqual({ kind: "whole", end: header.length, address });
    }
    for (let cut = 0; cut < header.length; cut++) {
      expect([cut, read(header.slice(0, cut))]).toEqual([cut, { kind: "partial" }]);
    }
  });

  test.each(WRONG)("Q.277 %j is refused, at the latest with its last byte", (_what, header) => {
    const whole = read(header);
    expect(whole).toEqual({ kind: "wrong", reason: expect.stringMatching(/^[a-zA-Z0-9 ,]+$/) });
    let refusedAt = 0;
    while (read(header.slice(0, refusedAt)).kind === "partial") refusedAt++;
    // Once refused it stays so, whatever comes.
    for (let cut = refusedAt; cut <= header.length; cut++) expect(read(header.slice(0, cut)).kind).toBe("wrong");
  });

  test("Q.277 of any bytes is whole, partial or refused, and partial up to its limit alone", () => {
    const random = rng(276);
    const starts = [...GOOD, ...WRONG].map(([, header]) => header);
    const kinds = { whole: 0, partial: 0, wrong: 0 };
    for (let run = 0; run < 20_000; run++) {
      const bytes = Buffer.from(random.pick(starts) + REST, "latin1");
      for (let change = random.int(4); change > 0; change--)
        bytes[random.int(Math.min(60, bytes.length))] = random.int(256);
      const sent = bytes.subarray(0, random.int(bytes.length + 1));
      const header = readProxyHeader(sent);
      kinds[header.kind] += 1;
      if (header.kind === "partial") expect(sent.length).toBeLessThan(LIMITS.proxyHeaderBytes.most);
      if (header.kind !== "whole") continue;
      expect(header.end).toBeLessThanOrEqual(sent.length);
      expect(header.address ?? "::").toMatch(/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,39})$/);
      expect(readProxyHeader(sent.subarray(0, header.end))).toEqual(header);
    }
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(1000);
  });
});
