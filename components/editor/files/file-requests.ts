import * as z from "zod/mini";
import { UploadError } from "@/machines/upload/upload";

const refused = z.object({ message: z.string(), name: z.optional(z.string()) });
const begun = z.object({ address: z.string() });
const lost = {
  message: "Not uploaded: the connection was lost. The file is kept on this device.",
  final: false,
};

/** Refusals of the file itself, which no other attempt changes. */
const finalStatus = new Set([413, 422]);

/**
 * Nobody answers but what stands before the product, or the product while it starts, which says when
 * to come again: as without a connection.
 */
const isAway = (status: number, comeAgain: string | null) =>
  status === 502 || status === 504 || (status === 503 && comeAgain !== null);

/** A file of a document, which need not have it yet. */
type Place = { document: string; file: string };
const pathOf = ({ document, file }: Place) => `/d/${document}/files/${file}`;

/** What the document is to know of it; `sha256` is what a bundle says that its bytes hash to. */
type Said = { id: string; name: string; kind: "image" | "file"; sha256?: string };

async function asked(
  method: string,
  path: string,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).catch(() => null);
  if (answer === null || isAway(answer.status, answer.headers.get("retry-after")))
    throw new UploadError("offline");
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said;
  const message = refused.safeParse(said);
  throw new UploadError(
    message.success ? { ...message.data, final: finalStatus.has(answer.status) } : lost,
  );
}

/** Asks where the bytes of a file can be sent. */
export async function beginSending(
  place: Place,
  bytes: number,
  signal: AbortSignal,
): Promise<{ address: string }> {
  return begun.parse(await asked("POST", pathOf(place), { bytes }, signal));
}

/** Sends bytes to an address, telling how many have gone: what `fetch` cannot tell. */
export function send(
  address: string,
  bytes: Blob,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((settle, fail) => {
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("load", () => {
      if (request.status < 300) return settle();
      const isOffline = isAway(request.status, request.getResponseHeader("retry-after"));
      fail(new UploadError(isOffline ? "offline" : lost));
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

/** Has the service look at what was sent, and record it as a file of the document. */
export async function settle(place: Place, said: Said, signal: AbortSignal): Promise<void> {
  await asked("PUT", pathOf(place), said, signal);
}

/** Asks that a document gets a file that another one has. */
export async function requestCopy(place: Place, id: string): Promise<void> {
  await asked("POST", `${pathOf(place)}/copy`, { id }, new AbortController().signal);
}

/** Brings a file into its document in one go; throws UploadError where it does not come. */
export async function bringFile(
  place: Place,
  { bytes, ...said }: Said & { bytes: Blob },
  signal: AbortSignal,
): Promise<void> {
  const { address } = await beginSending(place, bytes.size, signal);
  await send(address, bytes, () => undefined, signal);
  await settle(place, said, signal);
}

/** Calls back when there may be a connection again; answers how to stop. */
export function listenForConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  // Some browsers say that they are online while nothing answers.
  const again = setInterval(() => navigator.onLine && listener(), 5_000);
  return () => {
    window.removeEventListener("online", listener);
    clearInterval(again);
  };
}
