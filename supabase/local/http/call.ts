import type { Caller } from "../auth/api-key";

/**
 * A request that the gateway has admitted. All parts of the backend receive the same Call, so that
 * the URL is parsed and the token verified once. The body is read later.
 */
export type Call = {
  /** Method and headers, without the body. */
  head: Request;
  /** The URL of `head`. */
  url: Readonly<URL>;
  caller: Caller;
  /** The network address of the caller. */
  peer: string;
  /** Aborts when the caller disconnects. */
  gone: AbortSignal;
};

/** Whether a call stores an object, with its bytes as body. */
export function isUpload(call: Pick<Call, "head" | "url">): boolean {
  if (isSignedUpload(call)) return true;
  const { method } = call.head;
  return (
    (method === "POST" || method === "PUT") &&
    /^\/storage\/v1\/object\/(?!(list|list-v2|sign|upload\/sign|info|public|authenticated)\/)[^/]+\/./.test(
      call.url.pathname,
    )
  );
}

/** Whether a call stores an object at a signed URL. */
export function isSignedUpload({ head, url }: Pick<Call, "head" | "url">): boolean {
  return head.method === "PUT" && url.pathname.startsWith("/storage/v1/object/upload/sign/");
}
