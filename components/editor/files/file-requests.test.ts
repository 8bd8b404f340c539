import { afterEach, expect, it, vi } from "vitest";
import { UploadError } from "@/machines/upload/upload";
import { beginSending } from "./file-requests";

const { signal } = new AbortController();
const begin = () => beginSending({ document: "d", file: "f" }, 9, signal);
const failureOf = async (answer: Response) => {
  vi.stubGlobal("fetch", async () => answer);
  const failed = await begin().catch((error: unknown) => error);
  return failed instanceof UploadError ? failed.failure : failed;
};
afterEach(() => vi.unstubAllGlobals());

it.for([
  ["starts", 503, { "retry-after": "1" }],
  ["is not there behind its proxy", 502, {}],
  ["does not answer its proxy", 504, {}],
] as const)("[FILE-31] waits while the product %s", async ([, status, headers]) => {
  const answer = Response.json({ message: "The workspace is starting." }, { status, headers });
  expect(await failureOf(answer)).toBe("offline");
});

it("[FILE-30] says what a service lacks that will not come by itself", async () => {
  const answer = Response.json({ message: "No key." }, { status: 503 });
  expect(await failureOf(answer)).toMatchObject({ message: "No key.", final: false });
});
