// Replaced by its owner within the hour: the queries of settings.
import type { SettingReader, SettingWriter } from "../../src/ports/repository/settings.ts";
import type { Session } from "../dialect.ts";

export function settingReader(_session: Session): SettingReader {
  return {} as SettingReader;
}

export function settingWriter(_session: Session): SettingWriter {
  return {} as SettingWriter;
}
