import { z } from "zod";
import { refusal } from "../refusals";

type Fetch = (request: Request) => Promise<Response>;

/** What uploads of people depend on. */
export type UploadWays = {
  /** Uses up an address to upload to: how many bytes it takes, null where it is dead. */
  takeAddress: (name: string, address: string) => Promise<number | null>;
  /** Whether the disk has room for more. */
  hasRoom: () => Promise<boolean>;
};

/** Addresses of uploads of people: made by POST, and sent to by PUT. */
const announced = "/object/upload/sign/uploads/";

/**
 * Answers what is asked of an upload that was announced: none while the disk has no room, nothing to
 * an address that is dead, and no more bytes than were announced. Null for every other request.
 */
export async function answerAnnounced(
  lite: Fetch,
  request: Request,
  path: string,
  { takeAddress, hasRoom }: UploadWays,
): Promise<Response | null> {
  if (!path.startsWith(announced)) return null;
  const refused = async (status: number, code: string, message: string) => {
    await request.body?.cancel();
    return refusal(status, code, message);
  };
  if (!(await hasRoom())) return refused(507, "disk_full", "The disk has no room for uploads");
  if (request.method !== "PUT") return null;
  const address = z.uuid().safeParse(new URL(request.url).searchParams.get("upload"));
  const name = path.slice(announced.length);
  const most = address.success ? await takeAddress(name, address.data) : null;
  if (most === null || !request.body)
    return refused(409, "upload_ended", "This address was used, or its upload has ended");
  let left = most;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error("More came than was announced."));
      else controller.enqueue(chunk);
    },
  });
  const init = { method: "PUT", headers: request.headers, duplex: "half" };
  const body = request.body.pipeThrough(bounded);
  // Node's type lacks what a body that comes bit by bit needs.
  const response = await lite(new Request(request.url, { ...init, body } as RequestInit));
  return left < 0 ? refusal(413, "too-large", "More came than was announced") : response;
}
