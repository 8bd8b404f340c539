import { afterAll, beforeAll, expect, test } from "vitest";
import { newDataFolder, removeFolder } from "@/tests/support/product/data-folder";
import { freePort, launch } from "@/tests/support/product/stack";

let dataDir: string;

beforeAll(async () => {
  dataDir = await newDataFolder();
});
afterAll(() => removeFolder(dataDir));

test("[START-43] --build-only exits when everything is built, and --prebuilt starts that build", async () => {
  const build = launch({ dataDir, args: ["--build-only"] });
  expect(await build.ended).toBe(0);
  const port = await freePort();
  const run = launch({ port, dataDir, args: ["--prebuilt"] });
  await run.ready();
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  expect(run.output()).not.toMatch(/Installing|Building/);
  expect((await run.stop()).code).toBe(0);
});
