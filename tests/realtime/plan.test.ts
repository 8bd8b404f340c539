import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@/supabase/local/realtime/clock";
import { broadcasts, joined, statuses } from "./channels";
import { startDatabase, startService } from "./service";
import type { Database, Service } from "./service";

describe("the free plan", () => {
  let database: Database;
  let service: Service;
  let skipped = 0;
  beforeAll(async () => {
    database = await startDatabase();
    // The clock advances only by skipping, so that counts over some seconds fall into the same
    // seconds.
    const begun = systemClock.now();
    const clock = { ...systemClock, now: () => begun + skipped };
    service = await startService(database, { plan: "free", clock });
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  it("[RT-53] refuses a broadcast above 256 kB", async () => {
    const ana = await service.person();
    const channel = await joined(
      ana.client.channel("size", { config: { broadcast: { ack: true } } }),
    );
    const send = (length: number) =>
      channel.send({ type: "broadcast", event: "x", payload: { text: "x".repeat(length) } });
    expect(await send(200_000)).toBe("ok");
    expect(await send(260_000)).toBe("error");
    await expect(channel.httpSend("x", { text: "x".repeat(260_000) })).rejects.toThrow(
      "Unprocessable Entity",
    );
  });

  it("[RT-54] closes a receiver's channel above a hundred messages a second", async () => {
    const [ana, ben] = [await service.person(), await service.person()];
    const his = ben.client.channel("rate");
    const heard = broadcasts(his);
    const status = statuses(his);
    await status.atLeast(1);
    const hers = await joined(ana.client.channel("rate"));
    for (let count = 0; count < 1000; count += 1)
      await hers.send({ type: "broadcast", event: "x", payload: {} });
    await heard.atLeast(1000);
    skipped += 5000;
    await hers.send({ type: "broadcast", event: "x", payload: {} });
    expect(await status.atLeast(2)).toEqual(["SUBSCRIBED", "CLOSED: Too many messages per second"]);
    await expect(hers.httpSend("x", {})).rejects.toThrow("You have exceeded your rate limit");
  });
});
