import { expect, it } from "vitest";
import { leastFree, UploadFloor } from "./upload-floor";

it("[FILE-36] refuses uploads below a floor of free disk space, and reports each change once", async () => {
  let [free, time, reads] = [leastFree, 0, 0];
  const told: boolean[] = [];
  const floor = new UploadFloor({
    free: async () => {
      reads += 1;
      return free;
    },
    now: () => time,
    onChange: (hasRoom) => told.push(hasRoom),
  });
  expect(floor.free).toBeNaN();
  expect([await floor.hasRoom(), floor.free]).toEqual([true, leastFree]);
  free -= 1;
  // The file system is queried once per second, however many uploads there are.
  expect([await floor.hasRoom(), reads]).toEqual([true, 1]);
  time = 1_000;
  expect([await floor.hasRoom(), await floor.hasRoom(), reads]).toEqual([false, false, 2]);
  free += 1;
  time = 2_000;
  expect(await floor.hasRoom()).toBe(true);
  expect(told).toEqual([false, true]);
});
