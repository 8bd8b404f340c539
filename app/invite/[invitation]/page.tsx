import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isUuid } from "@/events/core/ids/is-uuid";
import { InvitationPage } from "@/components/workspace/invitations/invitation-page";
import { accountName } from "@/events/read-models/account-name";
import { previewInvitation } from "@/events/read-models/invitation-rows";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";
import { visitorClient } from "@/supabase/visitor";

export const metadata: Metadata = {
  title: "Invitation",
  robots: { index: false },
  referrer: "no-referrer",
};

type Props = {
  params: Promise<{ invitation: string }>;
  searchParams: Promise<{ token?: string | string[] }>;
};

/** The alphabet of tokens. Postgres rejects other characters, such as NUL, as text. */
const tokenSigns = /^[\w-]+$/;

export default async function Page({ params, searchParams }: Props) {
  const { invitation } = await params;
  const { token } = await searchParams;
  if (!isUuid(invitation) || typeof token !== "string") notFound();
  const client = await pageClient();
  const person = await identity(client);
  // Without a valid session, the page asks as a visitor: an expired session would be refused, and
  // the token suffices.
  const preview = tokenSigns.test(token)
    ? await previewInvitation(person ? client : visitorClient(), invitation, token)
    : null;
  const reader = person
    ? { email: person.email, name: (await accountName(client, person.userId)) || person.email }
    : null;
  return <InvitationPage invitation={invitation} token={token} preview={preview} reader={reader} />;
}
