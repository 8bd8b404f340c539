import { z } from "zod";
import { refusal } from "../http/refusals";

type Fetch = (request: Request) => Promise<Response>;

/** The dependencies of announced uploads. */
export type UploadWays = {
  /**
   * Consumes an upload URL. Returns the bytes that it accepts, or null if it is no longer valid.
   */
  takeAddress: (name: string, address: string) => Promise<number | null>;
  /** Whether the disk has space for uploads. */
  hasRoom: () => Promise<boolean>;
};

/** Signed upload URLs, which are created by POST and uploaded to by PUT. */
const announced = "/storage/v1/object/upload/sign/uploads/";

/**
 * Handles requests for announced uploads. Refuses a request while the disk is full, if the URL is
 * no longer valid, or if more bytes arrive than announced. Returns null for all other requests.
 */
export async function answerAnnounced(
  lite: Fetch,
  request: Request,
  { pathname, searchParams }: Readonly<URL>,
  { takeAddress, hasRoom }: UploadWays,
): Promise<Response | null> {
  if (!pathname.startsWith(announced)) return null;
  const refused = async (status: number, code: string, message: string) => {
    await request.body?.cancel();
    return refusal(status, code, message);
  };
  if (!(await hasRoom())) return refused(507, "disk_full", "The disk has no room for uploads");
  if (request.method !== "PUT") return null;
  const address = z.uuid().safeParse(searchParams.get("upload"));
  const name = pathname.slice(announced.length);
  const most = address.success ? await takeAddress(name, address.data) : null;
  if (most === null || !request.body)
    return refused(409, "upload_ended", "This address was used, or its upload has ended");
  let left = most;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error("The upload exceeds its announced size"));
      else controller.enqueue(chunk);
    },
  });
  const init = { method: "PUT", headers: request.headers, duplex: "half" };
  const body = request.body.pipeThrough(bounded);
  // Node's type lacks `duplex`, which a streamed body requires.
  const response = await lite(new Request(request.url, { ...init, body } as RequestInit));
  return left < 0 ? refusal(413, "too-large", "The upload exceeds its announced size") : response;
}
