// Signatures of S3 requests, held against the examples AWS published for examplebucket (R7).
import { describe, expect, test } from "bun:test";
import { encode, encodeQuery, presignedTarget, signedHeaders } from "../../src/adapters/s3/sigv4.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";

const SIGNER = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
};
const AT = new Date("2013-05-24T00:00:00Z");
const host = "examplebucket.s3.amazonaws.com";
const NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

describe("Signature Version 4", () => {
  const put = {
    method: "PUT",
    path: "/test$file.text",
    query: {},
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    payload: sha256Hex("Welcome to Amazon S3."),
  };
  const get = { method: "GET", path: "/", headers: {}, payload: NOTHING };
  test.each([
    [
      "a range of an object",
      { ...get, path: "/test.txt", query: {}, headers: { range: "bytes=0-9" } },
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    ["a PUT with a body", put, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"],
    [
      "a query without a value",
      { ...get, query: { lifecycle: "" } },
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "a list",
      { ...get, query: { prefix: "J", "max-keys": "2" } },
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ])("R7 signs %s as AWS published it", (_, request, signature) => {
    const { authorization, ...headers } = signedHeaders(SIGNER, { ...request, host }, AT);
    expect(authorization?.split(",Signature=")[1]).toBe(signature);
    expect(headers["x-amz-date"]).toBe("20130524T000000Z");
    expect(headers["x-amz-content-sha256"]).toBe(request.payload);
  });

  test("R7 presigns an address as AWS published it", () => {
    const target = presignedTarget(SIGNER, { method: "GET", host, path: "/test.txt", query: {} }, 86_400, AT);
    expect(target).toBe(
      "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request" +
        "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host" +
        "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    );
  });

  test.each([0, 1.5, 604_801, Number.NaN])("an address that lives %s seconds is refused", (seconds) => {
    const request = { method: "GET", host, path: "/a", query: {} };
    expect(() => presignedTarget(SIGNER, request, seconds, AT)).toThrow("604800");
  });

  test("encodes every byte but the unreserved ones, and sorts by encoded name", () => {
    expect(encode("a b+c/é!'()*~_-.")).toBe("a%20b%2Bc%2F%C3%A9%21%27%28%29%2A~_-.");
    expect(encodeQuery({ "b-c": "1", b: "2", B: "3" })).toBe("B=3&b=2&b-c=1");
  });
});
