import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { broadcasts, joined, statuses } from "./channels";
import { startDatabase, startService } from "./service";
import type { Database, Service } from "./service";

describe("rights that change", () => {
  let database: Database;
  let service: Service;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database);
    await service.sql.unsafe(`
      create table public.members (user_id uuid, topic text);
      grant select on public.members to authenticated;
      create policy read on realtime.messages for select to authenticated using (
        exists (select from public.members m where m.user_id = auth.uid() and m.topic = realtime.topic())
      );
      create policy write on realtime.messages for insert to authenticated with check (
        exists (select from public.members m where m.user_id = auth.uid() and m.topic = realtime.topic())
      );
    `);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  async function member(topic: string, claims: Record<string, unknown> = {}) {
    const id = randomUUID();
    await service.sql`insert into public.members values (${id}, ${topic})`;
    return service.person({ sub: id, ...claims });
  }

  const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  it("[RT-64] close a channel when the token expires, and say why", async () => {
    const ana = await member("t1", { exp: soon(6) });
    const status = statuses(ana.client.channel("t1", { config: { private: true } }));
    expect(await status.atLeast(2)).toEqual([
      "SUBSCRIBED",
      // The number of seconds depends on how busy the machine is.
      expect.stringMatching(/^CLOSED: Token has expired \d+ seconds ago$/),
    ]);
  });

  it("[RT-64] keep a channel open when the token is refreshed in time", async () => {
    const id = randomUUID();
    await service.sql`insert into public.members values (${id}, 't2')`;
    const ana = await service.person({ sub: id, exp: soon(6) });
    const channel = ana.client.channel("t2", { config: { private: true } });
    const heard = broadcasts(channel);
    const status = statuses(channel);
    await status.atLeast(1);
    await ana.client.realtime.setAuth(service.token({ sub: id }));
    const carol = await member("t2x", { exp: soon(8) });
    const other = statuses(carol.client.channel("t2x", { config: { private: true } }));
    await other.atLeast(2);
    await service.sql`select realtime.send('{}', 'still', 't2')`;
    expect(await heard.atLeast(1)).toMatchObject([{ event: "still" }]);
    expect(status.all).toEqual(["SUBSCRIBED"]);
  });

  it("[RT-63] close a channel at the next token without the right", async () => {
    const ana = await member("t3");
    const status = statuses(ana.client.channel("t3", { config: { private: true } }));
    await status.atLeast(1);
    await service.sql`delete from public.members where topic = 't3'`;
    await ana.client.realtime.setAuth(service.token({ sub: randomUUID() }));
    expect(await status.atLeast(2)).toEqual([
      "SUBSCRIBED",
      "CLOSED: You do not have permissions to read from this Channel topic: t3",
    ]);
  });

  it("[RT-65] end with the epoch in the topic's name", async () => {
    const [ana, ben] = [await member("document:1:1"), await member("document:1:1")];
    const config = { config: { private: true, broadcast: { ack: true } } };
    const before = ben.client.channel("document:1:1", config);
    const heardBefore = broadcasts(before);
    await joined(before);
    await service.sql`update public.members set topic = 'document:1:2' where user_id = ${ana.id}`;
    await service.sql`delete from public.members where user_id = ${ben.id}`;

    const after = ana.client.channel("document:1:2", config);
    const heard = broadcasts(after);
    await joined(after);
    await service.sql`select realtime.send('{}', 'log', 'document:1:2')`;
    await heard.atLeast(1);
    expect(heardBefore.all).toEqual([]);
    await expect(joined(ben.client.channel("document:1:2", config))).rejects.toThrow(
      "Unauthorized",
    );
  });

  it("[RT-60] are checked with the person's role and claims, in an API role alone", async () => {
    const [odd] =
      await service.sql`insert into public.members values (${randomUUID()}, 't4') returning user_id`;
    for (const role of ["potato", "postgres", "supabase_admin"]) {
      const { client } = await service.person({ sub: odd?.user_id, role });
      await expect(joined(client.channel("t4", { config: { private: true } }))).rejects.toThrow(
        "The role of the token is none of the API",
      );
    }
  });

  it("[RT-61] are missing while a policy fails", async () => {
    await service.sql`create policy broken on realtime.messages as restrictive for select to
      authenticated using (1 / (length(realtime.topic()) - 6) > 0)`;
    const ana = await member("broken");
    await expect(
      joined(ana.client.channel("broken", { config: { private: true } })),
    ).rejects.toThrow(
      "Unauthorized: You do not have permissions to read from this Channel topic: broken",
    );
    await service.sql`drop policy broken on realtime.messages`;
    const ben = await member("broken");
    await joined(ben.client.channel("broken", { config: { private: true } }));
  });
});
