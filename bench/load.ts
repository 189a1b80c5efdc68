// A load generator in a separate process: keep-alive connections, one request in flight on each, latencies in
// microseconds. Reads its orders as one JSON line on stdin and answers with one JSON line on stdout.

export type LoadOrder = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Raw requests, sent in turn by all connections. `{n}` becomes a 12-digit counter (the length stays the same). */
  readonly requests: readonly string[];
  readonly counterFrom?: number;
  /** Over TLS, whatever the certificate. */
  readonly tls?: boolean;
  /** Each request has its own connection, with a whole handshake. */
  readonly fresh?: boolean;
  /** Requests that are recorded as one piece and sent at once, so that asking costs next to nothing (`replay`). */
  readonly block?: number;
};

export type LoadResult = {
  readonly count: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Seconds of CPU of this process. */
  readonly loadCpuSeconds: number;
};

const HEADER_END = Buffer.from("\r\n\r\n");
const BUCKETS = 200_000;

type Connection = { pending: Buffer | null; startedAt: number; need: number; have: number; status: string };

function percentile(histogram: Uint32Array, count: number, share: number): number {
  let seen = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    seen += histogram[bucket] ?? 0;
    if (seen >= count * share) return bucket / 100;
  }
  return histogram.length / 100;
}

/** Runs the order; latencies are counted in steps of 10 microseconds up to 2 s. Chunked answers are not read. */
export async function load(order: LoadOrder): Promise<LoadResult> {
  const histogram = new Uint32Array(BUCKETS);
  const statuses: Record<string, number> = {};
  const raw = order.requests.map((request) => (request.includes("{n}") ? request : Buffer.from(request)));
  let next = 0;
  let counter = order.counterFrom ?? 0;
  let count = 0;
  let running = true;
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];

  const send = (socket: Bun.Socket<Connection>) => {
    const request = raw[next++ % raw.length] ?? "";
    socket.data.startedAt = performance.now();
    socket.data.need = -1;
    socket.data.have = 0;
    socket.data.pending = null;
    socket.write(
      typeof request === "string" ? request.replaceAll("{n}", String(counter++).padStart(12, "0")) : request,
    );
  };

  const finish = (socket: Bun.Socket<Connection>) => {
    const tens = Math.round((performance.now() - socket.data.startedAt) * 100);
    histogram[Math.min(tens, BUCKETS - 1)] = (histogram[Math.min(tens, BUCKETS - 1)] ?? 0) + 1;
    statuses[socket.data.status] = (statuses[socket.data.status] ?? 0) + 1;
    count++;
    if (running && order.fresh !== true) send(socket);
    else socket.end();
  };

  const onData = (socket: Bun.Socket<Connection>, chunk: Buffer) => {
    const state = socket.data;
    if (state.need === -1) {
      const seen = state.pending === null ? chunk : Buffer.concat([state.pending, chunk]);
      const end = seen.indexOf(HEADER_END);
      if (end === -1) {
        state.pending = Buffer.from(seen);
        return;
      }
      const head = seen.toString("latin1", 0, end);
      state.status = head.slice(9, 12);
      const length = /content-length: *(\d+)/i.exec(head)?.[1];
      state.need = end + 4 + Number(length ?? 0);
      state.have = seen.length;
    } else {
      state.have += chunk.length;
    }
    if (state.have >= state.need) finish(socket);
  };

  const closed: Promise<void>[] = [];
  const connect = async (ended: () => void): Promise<void> => {
    const isOver = () => (running && order.fresh === true ? void connect(ended) : ended());
    await Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port: order.port,
      ...(order.tls === true ? { tls: { rejectUnauthorized: false } } : {}),
      socket: {
        open(socket) {
          socket.data = { pending: null, startedAt: performance.now(), need: -1, have: 0, status: "" };
          if (order.tls !== true) send(socket);
        },
        ...(order.tls === true ? { handshake: send } : {}),
        data: onData,
        close: isOver,
        error: () => ended(),
      },
    });
  };
  for (let index = 0; index < order.connections; index++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    closed.push(promise);
    await connect(resolve);
  }
  await Bun.sleep(order.seconds * 1000);
  running = false;
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.race([Promise.all(closed), Bun.sleep(5000)]);
  return {
    count,
    seconds,
    statuses,
    p50Ms: percentile(histogram, count, 0.5),
    p95Ms: percentile(histogram, count, 0.95),
    p99Ms: percentile(histogram, count, 0.99),
    loadCpuSeconds: cpuSeconds(cpu),
  };
}

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

type Replay = { readonly blocks: readonly Block[]; at: number; have: number; seen: string };
/** Requests as one piece of bytes, and how many bytes all their answers have; null until they came once. */
type Block = { readonly bytes: Buffer; readonly requests: number; answerBytes: number | null };

/**
 * Sends recorded blocks of requests, one in flight on each connection. Answers are read once for each block; afterwards
 * their bytes are counted only. Latencies are not measured.
 */
export async function replay(order: LoadOrder & { readonly block: number }): Promise<LoadResult> {
  const statuses: Record<string, number> = {};
  const recorded: Block[] = [];
  for (let from = 0; from + order.block <= order.requests.length; from += order.block) {
    const requests = order.requests.slice(from, from + order.block);
    recorded.push({ bytes: Buffer.from(requests.join("")), requests: requests.length, answerBytes: null });
  }
  let [count, toLearn, running] = [0, recorded.length, true];
  const learned = Promise.withResolvers<void>();
  const send = (socket: Bun.Socket<Replay>): void => {
    socket.data.have = 0;
    socket.data.seen = "";
    const block = socket.data.blocks[socket.data.at];
    if (block === undefined || socket.write(block.bytes) !== block.bytes.length) throw new RangeError("Not sent whole");
  };
  const learn = (block: Block, state: Replay): boolean => {
    const found = state.seen.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];
    if (found.length < block.requests || !state.seen.endsWith("\r\n\r\n")) return false;
    for (const line of found) statuses[line.slice(9)] = (statuses[line.slice(9)] ?? 0) + 1;
    block.answerBytes = state.have;
    if (--toLearn === 0) learned.resolve();
    return true;
  };
  const onData = (socket: Bun.Socket<Replay>, chunk: Buffer): void => {
    const state = socket.data;
    const block = state.blocks[state.at];
    if (block === undefined) return;
    state.have += chunk.length;
    if (block.answerBytes === null) {
      state.seen += chunk.toString("latin1");
      if (!learn(block, state)) return;
    } else if (state.have < block.answerBytes) return;
    count += block.requests;
    state.at = (state.at + 1) % state.blocks.length;
    if (running) send(socket);
    else socket.end();
  };
  const closed = Array.from({ length: order.connections }, (_, index) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const blocks = recorded.filter((_, at) => at % order.connections === index);
    const open = (socket: Bun.Socket<Replay>): void => {
      socket.data = { blocks, at: 0, have: 0, seen: "" };
      send(socket);
    };
    const socket = { open, data: onData, close: () => resolve(), error: () => resolve() };
    void Bun.connect<Replay>({ hostname: "127.0.0.1", port: order.port, socket });
    return promise;
  });
  await learned.promise;
  const [before, startedAt, cpu] = [count, performance.now(), process.cpuUsage()];
  await Bun.sleep(order.seconds * 1000);
  running = false;
  const [seconds, answered, loadCpuSeconds] = [(performance.now() - startedAt) / 1000, count - before, cpuSeconds(cpu)];
  await Promise.race([Promise.all(closed), Bun.sleep(5000)]);
  return { count: answered, seconds, statuses, p50Ms: 0, p95Ms: 0, p99Ms: 0, loadCpuSeconds };
}

if (import.meta.main) {
  const order: LoadOrder = JSON.parse(await Bun.stdin.text());
  const { block } = order;
  const result = block === undefined ? await load(order) : await replay({ ...order, block });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}
