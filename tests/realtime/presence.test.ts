import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whoIsOnline } from "@/components/presence/online";
import type { PresenceEntry } from "@/events/realtime/channel";
import { peopleOf } from "@/events/realtime/presence-list";
import { realtimeTransport } from "@/events/realtime/realtime-transport";
import { Heap, joined, statuses } from "./channels";
import { startDatabase, startService } from "./service";
import type { Database, Person, Service } from "./service";

type Notice = { event: "join" | "leave"; key: string; presences: unknown[] };

function watched(
  person: Person,
  topic: string,
): { channel: RealtimeChannel; notices: Heap<Notice>; syncs: Heap<unknown> } {
  const channel = person.client.channel(topic, {
    config: { private: true, presence: { key: person.id } },
  });
  const notices = new Heap<Notice>();
  const syncs = new Heap<unknown>();
  channel.on("presence", { event: "sync" }, () => syncs.add(channel.presenceState()));
  channel.on("presence", { event: "join" }, ({ key, newPresences }) =>
    notices.add({ event: "join", key, presences: newPresences }),
  );
  channel.on("presence", { event: "leave" }, ({ key, leftPresences }) =>
    notices.add({ event: "leave", key, presences: leftPresences }),
  );
  return { channel, notices, syncs };
}

describe("presence in supabase-js", () => {
  let database: Database;
  let service: Service;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database);
    await service.sql.unsafe(`
      create policy read on realtime.messages for select to authenticated
        using (realtime.topic() like 'open:%' or realtime.topic() like 'document:%');
      create policy write on realtime.messages for insert to authenticated with check (
        (realtime.topic() like 'open:%' or realtime.topic() like 'document:%') and (extension <> 'presence' or auth.jwt() ->> 'ghost' is null));
    `);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  it("[RT-42] shows present, new, changed and leaving people", async () => {
    const [ana, ben] = [await service.person(), await service.person()];
    const hers = watched(ana, "open:1");
    await joined(hers.channel);
    expect(await hers.channel.track({ document: 1 })).toBe("ok");
    const his = watched(ben, "open:1");
    await joined(his.channel);
    expect(await his.syncs.atLeast(1)).toMatchObject([{ [ana.id]: [{ document: 1 }] }]);
    await his.channel.track({ document: 2 });
    await his.channel.track({ document: 3 });
    await ben.client.removeChannel(his.channel);
    expect(await hers.notices.atLeast(5)).toMatchObject([
      { event: "join", key: ana.id },
      { event: "join", key: ben.id, presences: [{ document: 2 }] },
      { event: "join", key: ben.id, presences: [{ document: 3 }] },
      { event: "leave", key: ben.id, presences: [{ document: 2 }] },
      { event: "leave", key: ben.id, presences: [{ document: 3 }] },
    ]);
    expect(Object.keys(hers.channel.presenceState())).toEqual([ana.id]);
  });

  it("[RT-40] counts two tabs as one person, who leaves with the last", async () => {
    const [ana, ben] = [await service.person(), await service.person()];
    const his = watched(ben, "open:2");
    await joined(his.channel);
    const secondTab = await service.person({ sub: ana.id });
    const tabs = [watched(ana, "open:2"), watched({ ...secondTab, id: ana.id }, "open:2")];
    for (const [tab, { channel }] of tabs.entries()) {
      await joined(channel);
      await channel.track({ tab });
    }
    await his.notices.atLeast(2);
    expect(his.channel.presenceState()).toMatchObject({ [ana.id]: [{ tab: 0 }, { tab: 1 }] });
    await ana.client.removeChannel(tabs[0]?.channel ?? his.channel);
    await his.notices.atLeast(3);
    expect(his.channel.presenceState()).toMatchObject({ [ana.id]: [{ tab: 1 }] });
    await secondTab.client.realtime.disconnect();
    await his.notices.atLeast(4);
    expect(his.channel.presenceState()).toEqual({});
  });

  it("[RT-120] [PRES-2] shows each person under their own id, whatever a client sends", async () => {
    const [owner, mallory, ben] = [
      await service.person(),
      await service.person(),
      await service.person(),
    ];
    const people = new Map(
      [owner, mallory, ben].map(({ id }) => [id, { userId: id, name: id, color: 0 }]),
    );
    const seen = new Heap<PresenceEntry[]>();
    const silent = { joined() {}, lost() {}, broadcast() {}, presence() {} };
    const his = realtimeTransport(ben.client, `${ben.id}:tab`);
    his.join("document:5", { ...silent, presence: seen.add });
    for (const key of [owner.id, `${owner.id}:tab`, owner.id.toUpperCase()]) {
      const { channel } = watched({ ...mallory, id: key }, "document:5");
      await expect(joined(channel)).rejects.toThrow("PresenceKeyNotAllowed");
      await mallory.client.removeChannel(channel);
    }
    const { channel } = watched(mallory, "document:5");
    await joined(channel);
    await channel.track({ userId: owner.id, key: owner.id, documentId: "d", since: 1 });
    await expect.poll(() => seen.all.at(-1)?.length).toBe(1);
    const entries = seen.all.at(-1) ?? [];
    expect(whoIsOnline(entries, people).map(({ userId }) => userId)).toEqual([mallory.id]);
    expect(peopleOf(entries).map(({ userId }) => userId)).toEqual([mallory.id]);
  });

  it("[RT-45] refuses to track a reader", async () => {
    const ghost = await service.person({ ghost: true });
    const { channel } = watched(ghost, "open:3");
    await joined(channel);
    expect(await channel.track({})).toBe("error");
    expect(channel.state).toBe("joined");
  });

  it("[RT-52] closes the channel at the sixth call in half a minute", async () => {
    const ana = await service.person();
    const { channel } = watched(ana, "open:4");
    const status = statuses(channel);
    await status.atLeast(1);
    for (let call = 0; call < 6; call += 1) void channel.track({ call });
    expect(await status.atLeast(2)).toEqual([
      "SUBSCRIBED",
      "CLOSED: Client presence rate limit exceeded",
    ]);
    expect(channel.state).toBe("closed");
  });
});
