import * as z from "zod/mini";
import { systemRandom } from "@/events/core/clock";
import {
  listenForConnection,
  requestUpload,
  sendBytes,
} from "@/components/transfer/upload-requests";
import type { UploadSteps } from "@/machines/upload/upload";

const begun = z.object({ address: z.string() });
const lost = "Not uploaded: the connection was lost. Your picture wasn’t changed; try again.";

/** The steps by which an image of this device becomes the picture of the person who is signed in. */
export function pictureSteps(bytes: Blob): UploadSteps {
  let path = "";
  return {
    begin: async (signal) => {
      // Each attempt has an id of its own: what an earlier one has stored may be old already.
      path = `/account/picture/${systemRandom.uuid()}`;
      return begun.parse(await requestUpload("POST", path, { bytes: bytes.size }, lost, signal));
    },
    send: (address, onSent, signal) => sendBytes(address, bytes, onSent, lost, signal),
    settle: async (signal) => {
      await requestUpload("PUT", path, { id: systemRandom.uuid() }, lost, signal);
    },
    onConnection: listenForConnection,
  };
}
