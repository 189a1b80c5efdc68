// Work that is waited for no longer than it may take.

/** What the work comes to; after `ms` milliseconds what `late` returns, or throws. The work itself goes on. */
export function inTime<T, L>(work: Promise<T>, ms: number, late: () => L): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return Promise.race([work, deadline.then(late)]).finally(() => clearTimeout(timer));
}
