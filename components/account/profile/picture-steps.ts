import { systemRandom } from "@/events/core/clock";
import {
  listenForConnection,
  requestAddress,
  requestUpload,
  sendBytes,
} from "@/components/transfer/upload-requests";
import type { UploadSteps } from "@/machines/upload/upload";

const lost = "Not uploaded: the connection was lost. Your picture wasn’t changed; try again.";
const newPath = () => `/account/picture/${systemRandom.uuid()}`;

/** Returns the steps that upload an image as the signed-in person's picture. */
export function pictureSteps(bytes: Blob): UploadSteps {
  let path = newPath();
  return {
    // The picture is not stored on the device, so no other tab uploads it.
    claim: async () => "mine",
    onGone: () => () => undefined,
    begin: (signal) => requestAddress(path, bytes, lost, signal),
    send: (address, onSent, signal) => sendBytes(address, bytes, onSent, lost, signal),
    settle: async (signal) => {
      const sent = path;
      // The next attempt uses a new path: the stored object may be too old to be recorded by then.
      path = newPath();
      await requestUpload("PUT", sent, {}, lost, signal);
    },
    onConnection: listenForConnection,
  };
}
