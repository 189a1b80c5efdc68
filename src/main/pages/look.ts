// Colours and logo of the pages, from the settings (R40). The logo is read once, at the start.
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { type Config, ConfigError } from "../../config.ts";
import { LOGO_TYPES, type Look, staticFile } from "../../pages/static-files.ts";
import { themeStyle } from "../../pages/style/theme.ts";
import { errorMessage } from "../../shared/error-message.ts";

const LOGO_BYTES_MAX = 100 * 1024;

/** @throws ConfigError for a logo that cannot be used */
export function lookOf({ colorLight, colorDark, logo }: Pick<Config, "colorLight" | "colorDark" | "logo">): Look {
  const style = themeStyle({ light: colorLight, dark: colorDark });
  return {
    theme: style === "" ? null : staticFile("theme", "css", style),
    logo: logo === null ? null : readLogo(logo),
  };
}

function readLogo(path: string) {
  const refuse = (why: string): ConfigError =>
    new ConfigError([
      `SVC_LOGO="${path}" is not allowed: a picture (${LOGO_TYPES.join(", ")}) of at most 100 KiB (${why})`,
    ]);
  const type = LOGO_TYPES.find((each) => extname(path).toLowerCase() === `.${each}`);
  if (type === undefined) throw refuse("another ending");
  try {
    const bytes = new Uint8Array(readFileSync(path));
    if (bytes.length <= LOGO_BYTES_MAX) return staticFile("logo", type, bytes);
  } catch (error) {
    throw refuse(errorMessage(error));
  }
  throw refuse("it is larger");
}
