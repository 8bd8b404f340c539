import { requestAddress, requestUpload, sendBytes } from "@/components/transfer/upload-requests";

const lost = "Not uploaded: the connection was lost. The file is kept on this device.";

/** A file of a document, which need not have it yet. */
type Place = { document: string; file: string };
const pathOf = ({ document, file }: Place) => `/d/${document}/files/${file}`;

/** What the document is to know of it; `sha256` is what a bundle says that its bytes hash to. */
type FileDescription = { id: string; name: string; kind: "image" | "file"; sha256?: string };

/** Asks where the bytes of a file can be sent. */
export async function beginSending(
  place: Place,
  bytes: Blob,
  signal: AbortSignal,
): Promise<{ address: string }> {
  return requestAddress(pathOf(place), bytes, lost, signal);
}

/** Sends the bytes of a file to an address, telling how many have gone. */
export function send(
  address: string,
  bytes: Blob,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return sendBytes(address, bytes, onSent, lost, signal);
}

/** Has the service look at what was sent, and record it as a file of the document. */
export async function settle(
  place: Place,
  description: FileDescription,
  signal: AbortSignal,
): Promise<void> {
  await requestUpload("PUT", pathOf(place), description, lost, signal);
}

/** Asks that a document gets a file that another one has. */
export async function requestCopy(place: Place, id: string): Promise<void> {
  await requestUpload("POST", `${pathOf(place)}/copy`, { id }, lost, new AbortController().signal);
}

/** Brings a file into its document in one go; throws UploadError where it does not come. */
export async function bringFile(
  place: Place,
  { bytes, ...description }: FileDescription & { bytes: Blob },
  signal: AbortSignal,
): Promise<void> {
  const { address } = await beginSending(place, bytes, signal);
  await send(address, bytes, () => undefined, signal);
  await settle(place, description, signal);
}
