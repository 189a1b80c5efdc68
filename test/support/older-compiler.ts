// Preloaded where a program needs the compiler of before (openapi-typescript): it gets TypeScript 5, the project keeps
// its own.
import { plugin } from "bun";
import typescript from "typescript5";

plugin({
  name: "older-compiler",
  setup(build) {
    build.module("typescript", () => ({ exports: { default: typescript, ...typescript }, loader: "object" }));
  },
});
