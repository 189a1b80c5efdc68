// Heads that two readers of one connection may understand differently: lengths that conflict, folded lines, bare line ends,
// controls, odd targets, missing and doubled hosts, TLS and HTTP/2.
const lengths = [" 0", " 5\r\nContent-Length: 6", " 5\r\nTransfer-Encoding: chunked", " +5", " 5, 5", "\t5"];
const encodings = [" chunked", " xchunked", "\vchunked", " chunked\r\nTransfer-Encoding: identity"];
const heads = [
  ...lengths.map((length) => `Content-Length:${length}`),
  ...encodings.map((encoding) => `Transfer-Encoding:${encoding}`),
  ...["Content-Length : 5", "transfer-encoding: Chunked", "Transfer-Encoding : chunked", "Host: b", "\tX: a"],
  ...["X: a\r\n folded: b", "X: a\r\n\tfolded", "X: a\rb", "X: a\nContent-Length: 5", "X: a\tb", "X: a\0b", "X\0: b"],
  ...["Connection: close", "Connection: Content-Length", "Upgrade: websocket\r\nConnection: Upgrade"],
  "Expect: 100-continue",
].map((field) => `GET /ark:99999/b1a HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n`);
const plain = "/ark:99999/b1a HTTP/1.1";
const lines = [
  ...[`GET http://a${plain}`, `GET  ${plain}`, `GET\t${plain}`, `get ${plain}`, `\r\nGET ${plain}`, `GET ${plain} `],
  ...["GET * HTTP/1.1", "OPTIONS * HTTP/1.1", "CONNECT a:80 HTTP/1.1", "GET /ark:99999/b1a  HTTP/1.1"],
  ...["GET /ark:99999/b1a HTTP/1.0", "GET /ark:99999/b1a", "GET /ark:99999/b1\0a HTTP/1.1"],
  "GET /ark:99999/%62 HTTP/1.1",
].map((line) => `${line}\r\nHost: a\r\n\r\n`);
const hosts = ["\r\n\r\n", "\r\nHost:\r\n\r\n", "\nHost: a\n\n"].map((end) => `GET ${plain}${end}`);
const long = `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
const tls = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
const rest = [...hosts, tls, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0".repeat(100), long];

export const SMUGGLED: readonly string[] = [...heads, ...lines, ...rest];
