// nginx with every name in a `map`, as a yardstick: the fastest plain redirect one can configure without writing a
// server.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function nginxProgram(): string | null {
  return ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"].find(existsSync) ?? null;
}

type Tls = { readonly certFile: string; readonly keyFile: string } | null;

/** Writes a configuration into `folder` and returns its path. The map is hashed for this many names. */
export function nginxConfiguration(
  folder: string,
  port: number,
  names: readonly { readonly key: string; readonly target: string }[],
  tls: Tls = null,
): string {
  const map = join(folder, "names.map");
  writeFileSync(map, names.map((name) => `"/ark:${name.key}" "${name.target}";\n`).join(""));
  const http = `
  map_hash_max_size ${Math.max(2048, names.length * 2)};
  map_hash_bucket_size 256;
  map $request_uri $target {
    include ${map};
  }`;
  const answer = `
      add_header Cache-Control "no-cache" always;
      add_header Access-Control-Allow-Origin "*" always;
      add_header Access-Control-Expose-Headers "Link, THUMP-Status" always;
      add_header X-Request-Id $http_x_request_id always;
      return 302 $target;`;
  return writeServer({ folder, name: "map", port, tls, http, answer });
}

/** nginx in front of a resolver, with the fields and the kept connections of `deploy/nginx.conf`. */
export function nginxFrontConfiguration(folder: string, port: number, resolver: number, tls: Tls = null): string {
  const http = `
  upstream resolvers {
    server 127.0.0.1:${resolver};
    keepalive 64;
    keepalive_requests 100000000;
  }`;
  const answer = `
      proxy_pass http://resolvers;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Original-URI $request_uri;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Request-Id $request_id;
      proxy_set_header Forwarded "";`;
  return writeServer({ folder, name: `front-${resolver}`, port, tls, http, answer });
}

type NginxServer = {
  readonly folder: string;
  readonly name: string;
  readonly port: number;
  readonly tls: Tls;
  /** What else stands in `http`, and in the `location` of all names. */
  readonly http: string;
  readonly answer: string;
};

/** One worker. */
function writeServer({ folder, name, port, tls, http, answer }: NginxServer): string {
  const file = join(folder, `nginx-${name}${tls === null ? "" : "-tls"}.conf`);
  const secure =
    tls === null
      ? ""
      : `ssl_certificate ${tls.certFile}; ssl_certificate_key ${tls.keyFile}; ssl_protocols TLSv1.2 TLSv1.3;`;
  writeFileSync(
    file,
    `worker_processes 1;
daemon off;
user root;
pid ${file}.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  server_tokens off;
  keepalive_requests 100000000;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  ${http}
  server {
    listen 127.0.0.1:${port}${tls === null ? "" : " ssl"};
    ${secure}
    location = / { return 200 "ready"; }
    location / {
      ${answer}
    }
  }
}
`,
  );
  return file;
}
