import type { UrlNormalization } from "../../../src/core/transforms/url-normalization.ts";
import type {
  EditManagedTransformsBody,
  ManagedTransforms,
} from "../../../src/resources/managed-transforms/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { ManagedTransforms, UrlNormalization };

export const urlNormalizationPath = (zoneId: string): string => path`/zones/${zoneId}/url_normalization`;

export const urlNormalizationOf = (zoneId: string): ApiCall<UrlNormalization> => ({
  method: "GET",
  path: urlNormalizationPath(zoneId),
});

export const editUrlNormalization = (zoneId: string, body: UrlNormalization): ApiCall<UrlNormalization> => ({
  method: "PUT",
  path: urlNormalizationPath(zoneId),
  body,
});

export const managedTransformsPath = (zoneId: string): string => path`/zones/${zoneId}/managed_headers`;

export const listManagedTransforms = (zoneId: string): ApiCall<ManagedTransforms> => ({
  method: "GET",
  path: managedTransformsPath(zoneId),
});

export const editManagedTransforms = (
  zoneId: string,
  body: EditManagedTransformsBody,
): ApiCall<ManagedTransforms> => ({ method: "PATCH", path: managedTransformsPath(zoneId), body });
