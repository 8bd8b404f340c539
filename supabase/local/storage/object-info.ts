import { z } from "zod";

const liteInfo = z.looseObject({
  id: z.string(),
  name: z.string(),
  bucket_id: z.string(),
  version: z.string().nullish(),
  created_at: z.string(),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  httpMetadata: z.looseObject({
    size: z.number(),
    mimetype: z.string(),
    cacheControl: z.string(),
    eTag: z.string(),
    lastModified: z.string(),
  }),
});

/** Converts Supabase Lite's object info to Supabase's format. */
export async function asObjectInfo(response: Response): Promise<Response> {
  if (!response.ok || response.body === null) return response;
  const { httpMetadata, ...row } = liteInfo.parse(await response.json());
  return Response.json({
    id: row.id,
    name: row.name,
    bucket_id: row.bucket_id,
    version: row.version ?? "",
    size: httpMetadata.size,
    content_type: httpMetadata.mimetype,
    cache_control: httpMetadata.cacheControl,
    etag: httpMetadata.eTag,
    metadata: row.user_metadata ?? {},
    last_modified: httpMetadata.lastModified,
    created_at: row.created_at,
  });
}
