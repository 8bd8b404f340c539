import { afterEach, expect, it, vi } from "vitest";
import { UploadError } from "@/machines/upload/upload";
import { requestAddress, sendBytes } from "./upload-requests";

const { signal } = new AbortController();
const failureIn = async (work: Promise<unknown>) => {
  const failed = await work.catch((error: unknown) => error);
  return failed instanceof UploadError ? failed.failure : failed;
};
const failureOf = (answer: Response) => {
  vi.stubGlobal("fetch", async () => answer);
  return failureIn(requestAddress("/somewhere", new Blob(["x"]), "It was lost.", signal));
};
/** Returns the failure of an upload request that receives this status and Retry-After header. */
const failureOfSending = (status: number, comeAgain: string | null) => {
  class Answered extends EventTarget {
    readonly upload = new EventTarget();
    readonly status = status;
    open() {}
    setRequestHeader() {}
    getResponseHeader = () => comeAgain;
    send = () => this.dispatchEvent(new Event("load"));
  }
  vi.stubGlobal("XMLHttpRequest", Answered);
  return failureIn(sendBytes("/there", new Blob(["x"]), () => undefined, "It was lost.", signal));
};
afterEach(() => vi.unstubAllGlobals());

it.for([
  ["starts", 503, { "retry-after": "1" }],
  ["is not there behind its proxy", 502, {}],
  ["does not answer its proxy", 504, {}],
] as const)("[FILE-31] waits while the product %s", async ([, status, headers]) => {
  const answer = Response.json({ message: "The workspace is starting." }, { status, headers });
  expect(await failureOf(answer)).toBe("offline");
  expect(await failureOfSending(status, answer.headers.get("retry-after"))).toBe("offline");
});

it("[FILE-30] reports a lost upload if the answer is not the service’s", async () => {
  const lost = { message: "It was lost.", final: false };
  expect(await failureOf(Response.json({ no: "address" }))).toEqual(lost);
  expect(await failureOf(new Response("<html>", { status: 500 }))).toEqual(lost);
  expect(await failureOfSending(400, null)).toEqual(lost);
});

it("[FILE-30] passes on the message of a 503 without Retry-After", async () => {
  const answer = Response.json({ message: "No key." }, { status: 503 });
  expect(await failureOf(answer)).toMatchObject({ message: "No key.", final: false });
});

it("[FILE-29] announces the size and hash of the upload", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return Response.json({ address: "/there" });
  });
  const bytes = new Blob(["abc"]);
  expect(await requestAddress("/somewhere", bytes, "It was lost.", signal)).toEqual({
    address: "/there",
  });
  const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(asked).toEqual([{ bytes: 3, sha256 }]);
  const unreadable = Object.assign(new Blob(["abc"]), {
    arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")),
  });
  expect(
    await failureIn(requestAddress("/somewhere", unreadable, "It was lost.", signal)),
  ).toMatchObject({
    message: expect.stringContaining("can’t be read"),
    final: true,
  });
});
