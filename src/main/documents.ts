// The interface descriptions as they were generated (src/main/openapi.ts), as texts: they are served octet by octet.
import minter from "../assets/openapi-minter.json" with { type: "text" };
import repository from "../assets/openapi-repository.json" with { type: "text" };
import resolver from "../assets/openapi-resolver.json" with { type: "text" };

// The import attribute makes them texts; the compiler goes by the name of the file.
export const MINTER_DOCUMENT = minter as unknown as string;
export const RESOLVER_DOCUMENT = resolver as unknown as string;
export const REPOSITORY_DOCUMENT = repository as unknown as string;
