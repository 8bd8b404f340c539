import { requestAddress, requestUpload, sendBytes } from "@/components/transfer/upload-requests";

const lost = "Not uploaded: the connection was lost. The file is kept on this device.";

/** The address of a file within a document. The document may not have the file yet. */
type Place = { document: string; file: string };
const pathOf = ({ document, file }: Place) => `/d/${document}/files/${file}`;

/**
 * The metadata that is recorded with a file. `sha256` is the hash that a bundle claims for its
 * bytes.
 */
type FileDescription = { id: string; name: string; kind: "image" | "file"; sha256?: string };

/** Requests the upload address for the bytes of a file. */
export async function beginSending(
  place: Place,
  bytes: Blob,
  signal: AbortSignal,
): Promise<{ address: string }> {
  return requestAddress(pathOf(place), bytes, lost, signal);
}

/** Uploads the bytes of a file to an address. Reports the number of bytes sent. */
export function send(
  address: string,
  bytes: Blob,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return sendBytes(address, bytes, onSent, lost, signal);
}

/** Makes the server check an upload and record it as a file of the document. */
export async function settle(
  place: Place,
  description: FileDescription,
  signal: AbortSignal,
): Promise<void> {
  await requestUpload("PUT", pathOf(place), description, lost, signal);
}

/** Requests a copy of another document's file. */
export async function requestCopy(place: Place, id: string): Promise<void> {
  await requestUpload("POST", `${pathOf(place)}/copy`, { id }, lost, new AbortController().signal);
}

/** Uploads a file into its document in one call. Throws UploadError on failure. */
export async function bringFile(
  place: Place,
  { bytes, ...description }: FileDescription & { bytes: Blob },
  signal: AbortSignal,
): Promise<void> {
  const { address } = await beginSending(place, bytes, signal);
  await send(address, bytes, () => undefined, signal);
  await settle(place, description, signal);
}
