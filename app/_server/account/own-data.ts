import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { authHistory } from "@/components/account/sessions/auth-history";
import { readSessions } from "@/events/read-models/account-sessions";
import { supabaseStore } from "@/events/log/store";
import { pictureAddress } from "@/events/read-models/person";
import { myWorkspaces } from "@/events/read-models/workspace-rows";
import { readRows } from "@/events/log/paged-rows";

type Person = { userId: string; email: string };

const accountRow = z.object({
  name: z.string(),
  color: z.nullable(z.int()),
  picture: z.nullable(z.string()),
  version: z.int(),
  created_at: z.string(),
});
const memberRow = z.object({ workspace_id: z.string(), role: z.string(), joined_at: z.string() });
const favouriteRow = z.object({ workspace_id: z.string(), favourites: z.array(z.string()) });

/** The most events of an account that are included, newest first: each session renewal is one. */
const mostEvents = 5_000;

async function signIns(client: SupabaseClient, userId: string, version: number) {
  const store = supabaseStore(client);
  const rows = [];
  for (let after = Math.max(0, version - mostEvents); after < version;) {
    const some = await store.read(userId, after);
    const last = some.at(-1);
    if (!last) break;
    rows.push(...some);
    after = last.version;
  }
  return authHistory(rows).map(({ words, recordedAt }) => ({ what: words, at: recordedAt }));
}

/** Reads a person's stored data, except their writing, under the person's own rights. */
export async function ownData(client: SupabaseClient, { userId, email }: Person) {
  const own = (table: string, columns: string) =>
    client.from(table).select(columns).eq("user_id", userId);
  const [accounts, members, favourites, sessions, workspaces] = await Promise.all([
    own("accounts", "name, color, picture, version, created_at").then((all) =>
      readRows(all, accountRow),
    ),
    own("members", "workspace_id, role, joined_at")
      .eq("phase", "active")
      .then((all) => readRows(all, memberRow)),
    own("personal_workspaces", "workspace_id, favourites").then((all) =>
      readRows(all, favouriteRow),
    ),
    readSessions(client),
    myWorkspaces(client, userId),
  ]);
  const [account] = accounts;
  const names = new Map(workspaces.map(({ id, name }) => [id, name]));
  return {
    profile: {
      id: userId,
      name: account?.name ?? "",
      email,
      color: account?.color ?? null,
      picture: pictureAddress(userId, account?.picture ?? null),
      createdAt: account?.created_at ?? null,
    },
    sessions: sessions.map(({ userAgent, createdAt, usedAt }) => ({
      device: userAgent,
      since: createdAt,
      lastUsed: usedAt,
    })),
    signIns: await signIns(client, userId, account?.version ?? 0),
    workspaces: members.map((row) => ({
      id: row.workspace_id,
      name: names.get(row.workspace_id) ?? "",
      role: row.role,
      since: row.joined_at,
      favourites:
        favourites.find((kept) => kept.workspace_id === row.workspace_id)?.favourites ?? [],
    })),
  };
}
