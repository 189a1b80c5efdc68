// Memory for the resolver's table in pages of 2 MiB instead of 4 KiB, where Linux offers them (docs/resolver-table.md).
// A look-up reads four or five places that nothing has read lately, and finding each through small pages costs about as
// much again as reading it.
import process from "node:process";

const MADV_HUGEPAGE = 14;
/** Smaller blocks fit into the processor's caches. */
const WORTH_BYTES = 8 * 1024 * 1024;
const SMALL_PAGE_BYTES = 4096;
/** As GNU and as musl name it. */
const C_LIBRARIES = ["libc.so.6", "libc.so"];

type Advise = (memory: Uint8Array) => void;

/** Shared memory of this many bytes, all zero. Where large pages are not available it is ordinary memory. */
export type SharedMemory = (bytes: number) => SharedArrayBuffer;

/**
 * Finds large pages on this system. The system must be asked before the first byte of the memory is used, so it is
 * asked here. Only Bun can ask without another permission.
 */
export async function sharedMemory(): Promise<SharedMemory> {
  const advise = await advising();
  return (bytes) => {
    const memory = new SharedArrayBuffer(bytes);
    if (bytes >= WORTH_BYTES) advise?.(new Uint8Array(memory));
    return memory;
  };
}

async function advising(): Promise<Advise | null> {
  if (process.platform !== "linux" || !("Bun" in globalThis)) return null;
  const { dlopen, ptr } = await import("bun:ffi");
  return (memory) => {
    for (const name of C_LIBRARIES) {
      try {
        const library = dlopen(name, { madvise: { args: ["ptr", "usize", "i32"], returns: "i32" } });
        const address = ptr(memory);
        const skipped = (SMALL_PAGE_BYTES - (address % SMALL_PAGE_BYTES)) % SMALL_PAGE_BYTES;
        // A system without large pages returns an error, and the memory stays as it is.
        library.symbols.madvise(ptr(memory, skipped), memory.length - skipped, MADV_HUGEPAGE);
        library.close();
        return;
      } catch {
        // Not under this name.
      }
    }
  };
}
