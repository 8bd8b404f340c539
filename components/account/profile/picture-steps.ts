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

/** The steps by which an image of this device becomes the picture of the person who is signed in. */
export function pictureSteps(bytes: Blob): UploadSteps {
  let path = newPath();
  return {
    // The device keeps no picture, so no other tab uploads it.
    claim: async () => "mine",
    onGone: () => () => undefined,
    begin: (signal) => requestAddress(path, bytes, lost, signal),
    send: (address, onSent, signal) => sendBytes(address, bytes, onSent, lost, signal),
    settle: async (signal) => {
      const sent = path;
      // By the next attempt what this one stored may be too old to be recorded.
      path = newPath();
      await requestUpload("PUT", sent, {}, lost, signal);
    },
    onConnection: listenForConnection,
  };
}
