import "./indexed-db.fixture";
import { afterEach, expect, it, vi } from "vitest";
import { deviceDatabase } from "./database";

afterEach(() => vi.unstubAllGlobals());

it("[OFFLINE-4] opens the database again after the browser refused at once", async () => {
  const database = deviceDatabase("refused-at-once", ["words"]);
  const write = () => database.transact("readwrite", async () => "written");
  vi.stubGlobal("indexedDB", {
    open() {
      throw new DOMException("Not now", "SecurityError");
    },
  });
  await expect(write()).rejects.toThrow("Not now");
  await expect(write()).rejects.toThrow("Not now");
  vi.unstubAllGlobals();
  expect(await write()).toBe("written");
});
