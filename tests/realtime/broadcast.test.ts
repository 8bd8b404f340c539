import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { broadcasts, joined } from "./channels";
import { startDatabase, startService } from "./service";
import type { Database, Person, Service } from "./service";

describe("supabase-js", () => {
  let database: Database;
  let service: Service;
  let ana: Person;
  let ben: Person;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database);
    await service.sql.unsafe(`
      create policy read on realtime.messages for select to authenticated using (realtime.topic() like 'open:%');
      create policy write on realtime.messages for insert to authenticated
        with check (realtime.topic() like 'open:%' and auth.jwt() ->> 'mute' is null);
    `);
  });
  beforeEach(async () => {
    [ana, ben] = [await service.person(), await service.person()];
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  it("[RT-31] receives its own broadcasts on request, and resolves when sent", async () => {
    const channel = ana.client.channel("self", {
      config: { broadcast: { self: true, ack: true } },
    });
    const heard = broadcasts(channel);
    await joined(channel);
    expect(
      await channel.send({ type: "broadcast", event: "stroke", payload: { letter: "a" } }),
    ).toBe("ok");
    expect(await heard.atLeast(1)).toEqual([
      { type: "broadcast", event: "stroke", payload: { letter: "a" } },
    ]);
  });

  it("[RT-34] sends and receives on a private channel if the policies allow both", async () => {
    const config = { config: { private: true, broadcast: { ack: true } } };
    const his = ben.client.channel("open:1", config);
    const heard = broadcasts(his);
    const hers = await joined(ana.client.channel("open:1", config));
    await joined(his);
    expect(await hers.send({ type: "broadcast", event: "stroke", payload: { letter: "a" } })).toBe(
      "ok",
    );
    expect(await heard.atLeast(1)).toMatchObject([{ payload: { letter: "a" } }]);
  });

  it("[RT-34] receives but cannot send where it may only read", async () => {
    const config = { config: { private: true, broadcast: { ack: true } } };
    const mute = await service.person({ mute: true });
    const hers = ana.client.channel("open:2", config);
    const heard = broadcasts(hers);
    await joined(hers);
    const his = mute.client.channel("open:2", config);
    const heardMute = broadcasts(his);
    await joined(his);
    const answer = his.send(
      { type: "broadcast", event: "forbidden", payload: {} },
      { timeout: 300 },
    );
    expect(await answer).toBe("timed out");
    await hers.send({ type: "broadcast", event: "allowed", payload: {} });
    expect(await heardMute.atLeast(1)).toMatchObject([{ event: "allowed" }]);
    expect(heard.all).toEqual([]);
  });

  it("[RT-61] gets the reason why it may not join", async () => {
    const reason =
      "Unauthorized: You do not have permissions to read from this Channel topic: closed";
    await expect(
      joined(ana.client.channel("closed", { config: { private: true } })),
    ).rejects.toThrow(reason);
    const stranger = service.stranger();
    await stranger.realtime.setAuth();
    await expect(joined(stranger.channel("open:3", { config: { private: true } }))).rejects.toThrow(
      "Unauthorized",
    );
  });

  it("[RT-12] may do everything with the secret key", async () => {
    const admin = service.stranger("sb_secret_test");
    await admin.realtime.setAuth();
    const channel = await joined(
      admin.channel("closed", { config: { private: true, broadcast: { ack: true } } }),
    );
    expect(await channel.send({ type: "broadcast", event: "x", payload: {} })).toBe("ok");
  });

  it("[RT-4] delivers bytes to clients that support them, and JSON between both protocol versions", async () => {
    const old = await service.person({}, { vsn: "1.0.0" });
    const config = { config: { private: true } };
    const [hers, his, older] = [ana, ben, old].map(({ client }) =>
      client.channel("open:4", config),
    );
    if (hers === undefined || his === undefined || older === undefined)
      throw new Error("three channels");
    const [heardBen, heardOld] = [broadcasts(his), broadcasts(older)];
    for (const channel of [hers, his, older]) await joined(channel);
    const bytes = Uint8Array.from([0, 1, 254, 255]).buffer;
    await hers.send({ type: "broadcast", event: "bytes", payload: bytes });
    await hers.send({ type: "broadcast", event: "text", payload: { word: "žluťoučký 🐎" } });
    // There is no order between two connections.
    await heardBen.atLeast(2);
    await older.send({ type: "broadcast", event: "old", payload: { n: 1 } });
    const [first, ...others] = await heardBen.atLeast(3);
    expect(first).toMatchObject({ event: "bytes" });
    expect(first?.payload).toEqual(bytes);
    expect(others).toMatchObject([
      { event: "text", payload: { word: "žluťoučký 🐎" } },
      { event: "old", payload: { n: 1 } },
    ]);
    expect(await heardOld.atLeast(1)).toMatchObject([
      { event: "text", payload: { word: "žluťoučký 🐎" } },
    ]);
  });

  it("[RT-83] broadcasts by HTTP before joining, if the policies allow it", async () => {
    const his = ben.client.channel("open:5", { config: { private: true } });
    const heard = broadcasts(his);
    await joined(his);
    const hers = ana.client.channel("open:5", { config: { private: true } });
    expect(await hers.httpSend("letter", { n: 1 })).toMatchObject({ success: true });
    expect(await hers.httpSend("bytes", Uint8Array.from([7]).buffer)).toMatchObject({
      success: true,
    });
    expect(await heard.atLeast(2)).toMatchObject([
      { event: "letter", payload: { n: 1 } },
      { event: "bytes" },
    ]);
    const closed = ana.client.channel("closed", { config: { private: true } });
    await expect(closed.httpSend("x", {})).rejects.toThrow("Unauthorized");
  });

  it("[RT-82] sends by HTTP before it has joined", async () => {
    const his = ben.client.channel("open:6", { config: { private: true } });
    const heard = broadcasts(his);
    await joined(his);
    const hers = ana.client.channel("open:6", { config: { private: true } });
    expect(await hers.send({ type: "broadcast", event: "early", payload: { n: 1 } })).toBe("ok");
    expect(await heard.atLeast(1)).toMatchObject([{ event: "early", payload: { n: 1 } }]);
  });

  it("[RT-22] is told that table changes are not supported", async () => {
    const channel = ana.client.channel("changes");
    const answered = new Promise((resolve) => channel.on("system", {}, resolve));
    channel.on("postgres_changes", { event: "*", schema: "public", table: "x" }, () => {});
    await joined(channel);
    expect(await answered).toMatchObject({ extension: "postgres_changes", status: "error" });
  });

  it("[RT-60] leaves no trace of its policy checks", async () => {
    expect(await service.sql`select 1 from realtime.messages where event is null`).toHaveLength(0);
    expect(
      await service.sql`select 1 from pg_stat_activity where state like 'idle in transaction%'`,
    ).toHaveLength(0);
  });
});
