import { limits } from "@/events/core/limits";
import type { Sql } from "postgres";

/** The lengths of a workspace's lists. */
export type Lengths = { documents: number; members: number; invitations: number };

/** The longest lists that `private.limits` allows. */
export const longest: Lengths = {
  documents: limits.workspace_documents,
  members: limits.workspace_members,
  invitations: limits.workspace_invitations,
};

/**
 * Fills the lists of a workspace with rows, without the events of these rows. One document in ten
 * is in the trash; the others form chains of up to three. People other than `owner` changed half of
 * the documents.
 */
export async function fillWorkspace(
  sql: Sql,
  workspace: string,
  owner: string,
  { documents, members, invitations }: Lengths,
): Promise<void> {
  await sql`
    insert into public.members (workspace_id, user_id, role, phase, name, email, color, given_color,
      joined_at, updated_at)
    select ${workspace}, gen_random_uuid(), 'editor', 'active', 'Reader ' || n,
      'reader' || n || '@example.com', 1, 1, now() - n * interval '1 minute' + interval '100 days', now()
    from generate_series(2, ${members}) n`;
  await sql`
    insert into public.invitations (id, workspace_id, created_by, kind, email, role, phase, created_at)
    select gen_random_uuid(), ${workspace}, ${owner}, 'email', 'guest' || n || '@example.com', 'viewer', 'open',
      now() - n * interval '1 minute'
    from generate_series(1, ${invitations}) n`;
  await sql`
    with made as (
      select n, gen_random_uuid() as id from generate_series(1, ${documents}) n
    ), placed as (
      select made.n, made.id, case when made.n % 3 = 0 then null else above.id end as parent
      from made left join made above on above.n = made.n - 1
    ), others as (
      select array_agg(user_id) as ids from public.members where workspace_id = ${workspace}
    )
    insert into public.documents (id, workspace_id, version, created_at, updated_at, edits,
      created_by, updated_by, title, phase, parent_id, rank)
    select placed.id, ${workspace}, 3, now(), now() + (n % 977) * interval '1 minute', 1, ${owner},
      case n % 2 when 0 then ${owner}::uuid else others.ids[1 + n % array_length(others.ids, 1)] end,
      'Document ' || n || ' with a title of a common length', case n % 10 when 7 then 'trashed' else 'live' end, parent,
      to_hex(2147483648 + n)
    from placed cross join others`;
}
