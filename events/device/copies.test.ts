import "./indexed-db.fixture";
import { beforeEach, expect, it } from "vitest";
import { dropCopies, dropCopy, writeCopy, readCopy } from "./copies";

const ana = { userId: "ana", documentId: "notes" };
const state = (version: number) => ({ version, state: new Uint8Array([version, 2, 3]) });

// Other test files in the same process store copies too.
beforeEach(dropCopies);

it("[OFFLINE-4] keeps the newest copy of a document for each person, and drops one or all", async () => {
  expect(await readCopy(ana)).toBeNull();
  await writeCopy(ana, state(3));
  await writeCopy(ana, state(4));
  await writeCopy({ ...ana, documentId: "plans" }, state(9));
  expect(await readCopy(ana)).toEqual(state(4));
  expect(await readCopy({ ...ana, userId: "ben" })).toBeNull();
  await dropCopy(ana);
  expect(await readCopy(ana)).toBeNull();
  expect(await readCopy({ ...ana, documentId: "plans" })).toEqual(state(9));
  await dropCopies();
  expect(await readCopy({ ...ana, documentId: "plans" })).toBeNull();
});
