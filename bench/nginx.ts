// nginx with every name in a `map`, as a yardstick: the fastest plain redirect one can configure without writing a
// server.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export function nginxProgram(): string | null {
  return ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"].find(existsSync) ?? null;
}

/** Writes a configuration into `folder` and returns its path. One worker; the map is hashed for this many names. */
export function nginxConfiguration(
  folder: string,
  port: number,
  names: readonly { readonly key: string; readonly target: string }[],
  tls: { readonly certFile: string; readonly keyFile: string } | null = null,
): string {
  const map = join(folder, "names.map");
  writeFileSync(map, names.map((name) => `"/ark:${name.key}" "${name.target}";\n`).join(""));
  const file = join(folder, tls === null ? "nginx.conf" : "nginx-tls.conf");
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
  map_hash_max_size ${Math.max(2048, names.length * 2)};
  map_hash_bucket_size 256;
  map $request_uri $target {
    include ${map};
  }
  server {
    listen 127.0.0.1:${port}${tls === null ? "" : " ssl"};
    ${secure}
    location = / { return 200 "ready"; }
    location / {
      add_header Cache-Control "no-cache" always;
      add_header Access-Control-Allow-Origin "*" always;
      add_header Access-Control-Expose-Headers "Link, THUMP-Status" always;
      add_header X-Request-Id $http_x_request_id always;
      return 302 $target;
    }
  }
}
`,
  );
  return file;
}
