import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hearNotices } from "@/supabase/local/database/database-notices";
import { systemClock } from "@/supabase/local/realtime/clock";
import { broadcasts, joined } from "./channels";
import { startDatabase, startService } from "./service";
import type { Database, Person, Service } from "./service";

describe("a broadcast from the database", () => {
  let database: Database;
  let service: Service;
  let ana: Person;
  beforeAll(async () => {
    database = await startDatabase();
    service = await startService(database);
    await service.sql.unsafe(`
      create policy read on realtime.messages for select to authenticated using (true);
      create table public.notes (id int primary key, text text);
      create function public.note_changed() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        perform realtime.broadcast_changes('notes', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
        return null;
      end $$;
      create trigger note_changed after insert or update or delete on public.notes
        for each row execute function public.note_changed();
    `);
    ana = await service.person();
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
  });

  async function listening(topic: string, isPrivate = true) {
    const channel = ana.client.channel(topic, { config: { private: isPrivate } });
    const heard = broadcasts(channel);
    await joined(channel);
    return heard;
  }

  it("[RT-90] arrives after the commit, with its id, and never after a rollback", async () => {
    const heard = await listening("log");
    await service.sql
      .begin(async (sql) => {
        await sql`select realtime.send('{"n":0}', 'log', 'log')`;
        throw new Error("rolled back");
      })
      .catch(() => {});
    await service.sql.begin(async (sql) => {
      await sql`select realtime.send('{"n":1}', 'log', 'log')`;
      await sql`select pg_sleep(0.05)`;
      expect(heard.all).toEqual([]);
    });
    const [first] = await heard.atLeast(1);
    const [row] = await service.sql<
      { id: string }[]
    >`select id from realtime.messages where topic = 'log'`;
    expect(first).toEqual({
      type: "broadcast",
      event: "log",
      payload: { n: 1, id: row?.id },
      meta: { id: row?.id },
    });
  });

  it("[RT-90] arrives in the order of the commits", async () => {
    const heard = await listening("order");
    for (let n = 0; n < 50; n += 1)
      await service.sql`select realtime.send(${service.sql.json({ n, id: "own" })}, 'x', 'order')`;
    const all = await heard.atLeast(50);
    expect(all.map(({ payload }) => payload)).toEqual(
      Array.from({ length: 50 }, (_, n) => ({ n, id: "own" })),
    );
  });

  it("[RT-91] may be public, and may hold bytes", async () => {
    const [secret, open] = [await listening("both"), await listening("both-open", false)];
    await service.sql`select realtime.send('{}', 'private', 'both')`;
    await service.sql`select realtime.send('{}', 'public', 'both-open', false)`;
    await service.sql`select realtime.send('{}', 'unheard', 'both-open', true)`;
    await service.sql`select realtime.send_binary('\\x00ff'::bytea, 'bytes', 'both')`;
    expect(await secret.atLeast(2)).toMatchObject([{ event: "private" }, { event: "bytes" }]);
    expect(secret.all[1]?.payload).toEqual(Uint8Array.from([0, 255]).buffer);
    expect(await open.atLeast(1)).toMatchObject([{ event: "public" }]);
  });

  it("[RT-92] describes the changes of a row", async () => {
    const heard = await listening("notes");
    await service.sql`insert into public.notes values (1, 'a')`;
    await service.sql`update public.notes set text = 'b'`;
    await service.sql`delete from public.notes`;
    const about = { table: "notes", schema: "public" };
    expect(await heard.atLeast(3)).toMatchObject([
      {
        event: "INSERT",
        payload: { ...about, operation: "INSERT", record: { id: 1, text: "a" }, old_record: null },
      },
      {
        event: "UPDATE",
        payload: {
          ...about,
          operation: "UPDATE",
          record: { text: "b" },
          old_record: { text: "a" },
        },
      },
      {
        event: "DELETE",
        payload: { ...about, operation: "DELETE", record: null, old_record: { text: "b" } },
      },
    ]);
  });

  it("[RT-92] never fails its transaction", async () => {
    const [row] = await service.sql<{ before: number }[]>`
      select 1 as before, realtime.send('{}', null, null)::text as nothing`;
    expect(row?.before).toBe(1);
  });

  it("[RT-93] survives a lost connection of the server to the database", async () => {
    const heard = await listening("gap");
    await service.sql`select realtime.send('{"n":1}', 'x', 'gap')`;
    await heard.atLeast(1);
    await service.dropListener();
    await service.sql`select realtime.send('{"n":2}', 'x', 'gap')`;
    await service.sql`select realtime.send('{"n":3}', 'x', 'gap')`;
    await heard.atLeast(3);
    await service.sql`select realtime.send('{"n":4}', 'x', 'gap')`;
    const all = await heard.atLeast(4);
    expect(all).toMatchObject([1, 2, 3, 4].map((n) => ({ payload: { n } })));
    await expect.poll(() => service.log.join()).toContain("lost the database");
  });

  it("[RT-93] arrives again after a database restart, during which private joins are refused", async () => {
    const heard = await listening("restart");
    await database.restart(async () => {
      const ben = await service.person();
      await expect(
        joined(ben.client.channel("away", { config: { private: true } })),
      ).rejects.toThrow(
        "UnableToConnectToProject: Realtime was unable to connect to the project database",
      );
      await joined(ben.client.channel("away-open"));
    });
    await service.sql`select realtime.send('{"n":1}', 'x', 'restart')`;
    expect(await heard.atLeast(1)).toMatchObject([{ payload: { n: 1 } }]);
  });

  it("[START-24] is awaited at growing intervals after a lost connection", async () => {
    const rests: number[] = [];
    const heard: string[] = [];
    let regained = 0;
    const source = await hearNotices({
      databaseUrl: database.url,
      channel: "rests",
      clock: {
        after(ms, action) {
          rests.push(ms);
          return systemClock.after(ms, action);
        },
      },
      heard: (payload) => heard.push(payload),
      lost: () => {},
      failed: () => {},
      regained: () => (regained += 1),
    });
    onTestFinished(() => source.close());
    await database.restart(() => expect.poll(() => rests.length).toBeGreaterThan(3));
    await expect.poll(() => regained).toBe(1);
    expect(rests.slice(0, 4)).toEqual([100, 200, 400, 800]);
    await database.sql`select pg_notify('rests', 'again')`;
    await expect.poll(() => heard).toEqual(["again"]);
  });

  it("[RT-70] is replayed once to later members, oldest first, 25 at most", async () => {
    const since = Date.now() - 1000;
    const ben = await service.person();
    const early = ben.client.channel("past", { config: { private: true } });
    const heardAsSent = broadcasts(early);
    await joined(early);
    for (let n = 0; n < 30; n += 1)
      await service.sql`select realtime.send(${service.sql.json({ n })}, 'x', 'past')`;
    // A new member would receive messages that are still on their way to the server as live.
    await heardAsSent.atLeast(30);
    const channel = ana.client.channel("past", {
      config: { private: true, broadcast: { replay: { since, limit: 100 } } },
    });
    const heard = broadcasts(channel);
    await joined(channel);
    await service.sql`select realtime.send('{"n":30}', 'x', 'past')`;
    const all = await heard.atLeast(26);
    expect(all.map(({ payload }) => payload)).toMatchObject(
      Array.from({ length: 26 }, (_, index) => ({ n: index + 5 })),
    );
    expect(all.map(({ meta }) => meta?.replayed === true)).toEqual([
      ...Array<boolean>(25).fill(true),
      false,
    ]);
  });

  it("[RT-94] has a partition for every possible day, and drops those older than three days", async () => {
    await service.sql.unsafe(`
      create table realtime.messages_2020_01_01 partition of realtime.messages for values from
      ('2020-01-01') to ('2020-01-02');
      select realtime.keep_partitions();
      select realtime.keep_partitions();
    `);
    const rows = await service.sql<{ day: string }[]>`
      select substring(inhrelid::regclass::text from '\\d{4}_\\d{2}_\\d{2}') as day from pg_inherits
      where inhparent = 'realtime.messages'::regclass order by day`;
    const today = new Date();
    const day = (offset: number) =>
      new Date(today.getTime() + offset * 86_400_000)
        .toISOString()
        .slice(0, 10)
        .replaceAll("-", "_");
    expect(rows.map((row) => row.day)).toEqual([-1, 0, 1, 2, 3].map(day));
  });
});
