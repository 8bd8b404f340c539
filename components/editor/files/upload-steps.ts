import type { WaitingFile } from "@/events/device/waiting-files";
import type { SendingSteps } from "@/machines/upload/file-upload";
import { UploadError } from "@/machines/upload/upload";
import { listenForConnection } from "@/components/transfer/upload-requests";
import { beginSending, send, settle } from "./file-requests";

/** The number of free places for concurrent uploads. Other uploads wait for their turn. */
let free = 3;
const waitingTurns: (() => void)[] = [];

async function takeTurn(): Promise<() => void> {
  if (free > 0) free -= 1;
  else await new Promise<void>((mine) => waitingTurns.push(mine));
  return () => {
    const next = waitingTurns.shift();
    if (next) next();
    else free += 1;
  };
}

/** Returns the steps that upload a file of this device. `leave` frees the upload's place. */
export function uploadSteps(waiting: WaitingFile): SendingSteps & { leave: () => void } {
  const { document, file, event, name, kind, bytes } = waiting;
  const place = { document, file };
  let release: (() => void) | null = null;
  const leave = () => {
    release?.();
    release = null;
  };
  const leaving = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      leave();
      throw error;
    }
  };
  const begin: SendingSteps["begin"] = async (signal) => {
    if (!navigator.onLine) throw new UploadError("offline");
    release ??= await takeTurn();
    return beginSending(place, bytes, signal);
  };
  return {
    leave,
    begin: (signal) => leaving(begin(signal)),
    send: (address, onSent, signal) => leaving(send(address, bytes, onSent, signal)),
    settle: async (signal) => {
      await leaving(settle(place, { id: event, name, kind }, signal));
      leave();
    },
    onConnection: listenForConnection,
  };
}
