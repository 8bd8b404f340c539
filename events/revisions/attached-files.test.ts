import { expect, it } from "vitest";
import { row } from "@/events/history/timeline/rows.fixture";
import { attachedFiles } from "./attached-files";

const began = Date.UTC(2026, 10, 24);
const body = {
  sha256: "a".repeat(64),
  bytes: 7,
  name: "A shelf.png",
  type: "image/png",
  width: 4,
  height: 3,
};

it("[FILE-15] a copy has the files of its document, under the ids that its text names", () => {
  const subject = { kind: "file", id: "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01" };
  const attached = { actorId: "Ana", type: "file.attached", subject };
  const rows = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, began),
    row({ ...attached, version: 2, body }, began),
    row({ ...attached, version: 3, body: { ...body, name: "" } }, began),
  ];
  expect(attachedFiles(rows, () => "id")).toEqual([
    { id: "id", type: "file.attached", body, subject },
  ]);
});
