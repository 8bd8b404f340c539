import { bytesToHex } from "@noble/hashes/utils.js";
import * as z from "zod/mini";
import { pageFetch } from "@/components/session/person/page-person";
import { digest } from "@/events/core/bytes/sha256";
import { UploadError } from "@/machines/upload/upload";

const refused = z.object({ message: z.string(), name: z.optional(z.string()) });

/** Statuses that refuse the uploaded content. A retry is pointless. */
const finalStatus = new Set([413, 422]);

/**
 * Whether the product is away: the reverse proxy answered alone, or the product is starting and
 * sent Retry-After. Both count as offline.
 */
const isAway = (status: number, comeAgain: string | null) =>
  status === 502 || status === 504 || (status === 503 && comeAgain !== null);

/**
 * Sends a request of an upload and returns the answer. Throws UploadError with the refusal, or with
 * the sentence `lost` if the product did not answer itself. Without any answer, the error is
 * offline.
 */
export async function requestUpload(
  method: "POST" | "PUT",
  path: string,
  body: object,
  lost: string,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await pageFetch(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).catch(() => null);
  if (answer === null || isAway(answer.status, answer.headers.get("retry-after")))
    throw new UploadError("offline");
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok) return content;
  const message = refused.safeParse(content);
  throw new UploadError(
    message.success
      ? { ...message.data, final: finalStatus.has(answer.status) }
      : { message: lost, final: false },
  );
}

const begun = z.object({ address: z.string() });
const unreadable = "This file can’t be read any more. Nothing was added; choose it once more.";

/**
 * Announces an upload and requests the URL for its bytes. Throws UploadError like `requestUpload`,
 * and also if the device cannot read the bytes.
 */
export async function requestAddress(
  path: string,
  bytes: Blob,
  lost: string,
  signal: AbortSignal,
): Promise<{ address: string }> {
  const content = await bytes.arrayBuffer().catch(() => null);
  if (content === null) throw new UploadError({ message: unreadable, final: true });
  const sha256 = bytesToHex(await digest(new Uint8Array(content)));
  const announced = { bytes: bytes.size, sha256 };
  const answer = begun.safeParse(await requestUpload("POST", path, announced, lost, signal));
  if (!answer.success) throw new UploadError({ message: lost, final: false });
  return answer.data;
}

/** Sends bytes to a URL and reports the upload progress, which `fetch` cannot. */
export function sendBytes(
  address: string,
  bytes: Blob,
  onSent: (bytes: number) => void,
  lost: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("load", () => {
      if (request.status < 300) return settle();
      const isOffline = isAway(request.status, request.getResponseHeader("retry-after"));
      fail(new UploadError(isOffline ? "offline" : { message: lost, final: false }));
    });
    request.addEventListener("error", () => fail(new UploadError("offline")));
    signal.addEventListener("abort", () => {
      request.abort();
      fail(signal.reason);
    });
    request.open("PUT", address);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.send(bytes);
  });
}

/** Calls `listener` when there may be a connection again. Returns the function that stops it. */
export function listenForConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  // `online` does not fire if only the server was unreachable, so this also polls.
  const again = setInterval(() => navigator.onLine && listener(), 5_000);
  return () => {
    window.removeEventListener("online", listener);
    clearInterval(again);
  };
}
