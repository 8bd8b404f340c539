import { bytesToHex } from "@noble/hashes/utils.js";
import * as z from "zod/mini";
import { pageFetch } from "@/components/session/person/page-person";
import { digest } from "@/events/core/bytes/sha256";
import { UploadError } from "@/machines/upload/upload";

const refused = z.object({ message: z.string(), name: z.optional(z.string()) });

/** Statuses that refuse the uploaded content itself, so a retry is pointless. */
const finalStatus = new Set([413, 422]);

/**
 * The reverse proxy answers without the product, or the product is starting, with Retry-After:
 * treated as offline.
 */
const isAway = (status: number, comeAgain: string | null) =>
  status === 502 || status === 504 || (status === 503 && comeAgain !== null);

/**
 * Sends a request about an upload and returns the answer. Throws UploadError: with the refusal,
 * with the sentence `lost` when the answer is not the product's, and as offline without an answer.
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
 * Announces an upload and requests the URL for its bytes; throws UploadError like `requestUpload`,
 * and when the device cannot read the bytes.
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

/** Sends bytes to a URL with upload progress, which `fetch` does not report. */
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

/** Calls back when there may be a connection again; returns the function that stops. */
export function listenForConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  // Some browsers report online while nothing answers.
  const again = setInterval(() => navigator.onLine && listener(), 5_000);
  return () => {
    window.removeEventListener("online", listener);
    clearInterval(again);
  };
}
