// Pictures of records for viewers elsewhere, as a feature of the repository (R49).
import { iiifRoutes } from "../../../plugins/repository/iiif/iiif.ts";
import { recordDialect } from "../../../plugins/repository/record-dialect.ts";
import { recordPictures } from "../../repository/viewers/iiif.ts";
import type { Feature } from "./feature.ts";
import { recordFilesOf } from "./record-files.ts";

export const iiifFeature: Feature = {
  endpoint: (served) => {
    const { config, guard, files, addresses, items } = served;
    const pictures = recordPictures({
      files: recordFilesOf(served),
      readable: items.readable,
      storage: files.storage,
      addresses,
      repositoryName: config.repositoryName,
    });
    return {
      plugin: iiifRoutes({ guard, pictures, storage: files.storage, rootPath: config.rootPath }),
      dialectFor: (path) => (path.startsWith("/api/iiif/") ? recordDialect : null),
    };
  },
};
