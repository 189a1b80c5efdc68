// A turn of the event loop in the middle of long work: requests are answered meanwhile, and garbage is collected. The drivers of SQLite
// never wait, so without it a loop over many statements holds everything up; and a long run that never turns keeps some 400 octets of
// garbage for each name it handles.

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
