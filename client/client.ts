// The client of Arkstone: the repository and the service of names, by `fetch` alone. This file is its public face.
export { type Client, type NamesClient, namesClient, type RepositoryClient, repositoryClient } from "./calls.ts";
export { type DepositInput, deposit, type StatusDocument } from "./deposits.ts";
export { type DownloadInput, downloadFile } from "./downloads.ts";
export { ConnectionError, type Dialect, type FieldFault, RefusalError } from "./errors.ts";
export type * as Names from "./generated/names.ts";
export type * as Repository from "./generated/repository.ts";
export { type HarvestInput, harvest } from "./harvest.ts";
export type { RequestBytes } from "./operations.ts";
export type { CallOptions, ClientSettings, Fetch, Retry } from "./transport.ts";
export { type Upload, type UploadedFile, type UploadInput, type UploadProgress, uploadFile } from "./uploads.ts";
