import { expect, it } from "vitest";
import { ownThread, processorMs } from "./thread-clock";

it.runIf(process.platform === "linux")("[START-20] reads the processor time of a thread", () => {
  const thread = ownThread();
  if (thread === null) throw new Error("Linux names its threads");
  const before = processorMs(thread);
  const { user, system } = process.cpuUsage();
  for (let turns = 0; ; turns += 1) {
    const now = process.cpuUsage();
    if (now.user + now.system - user - system > 50_000) break;
  }
  expect(Number(processorMs(thread)) - Number(before)).toBeGreaterThan(10);
  expect(processorMs("0/task/0")).toBeNull();
});
