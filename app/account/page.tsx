import type { Metadata } from "next";
import { ArrowLeft } from "lucide-react";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import * as z from "zod/mini";
import { authHistory } from "@/components/account/sessions/auth-history";
import { AuthHistoryList } from "@/components/account/sessions/auth-history-list";
import { EmailForm } from "@/components/account/email-form";
import { PasswordForm } from "@/components/account/password-form";
import { ProfileForm } from "@/components/account/profile/profile-form";
import { RefusedAuthEvents } from "@/components/account/sessions/refused-auth-events";
import { SessionActions } from "@/components/account/sessions/session-actions";
import { SessionList } from "@/components/account/sessions/session-list";
import { AccountDeletion, DataToTake } from "@/components/account/own-data/your-data";
import { ThemeChoice } from "@/components/account/profile/theme-choice";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { parseTheme, themeCookie } from "@/components/ui/screen/theme";
import { readSessions } from "@/events/read-models/account-sessions";
import { pictureAddress } from "@/events/read-models/person";
import { supabaseStore } from "@/events/log/store";
import { givenColors } from "@/machines/member";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";
import styles from "@/components/account/account-page.module.css";
import { Link } from "@/components/ui/link";

// The default colour shown here is that of the person's earliest workspace.
const memberRow = z.object({ given_color: z.int() });
const accountRow = z.object({
  name: z.nullable(z.string()),
  color: z.nullable(z.int()),
  picture: z.nullable(z.string()),
  version: z.int(),
});

/** The most events on this page. Session renewals, every few minutes, are events too. */
const lastEvents = 500;

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage() {
  const client = await pageClient();
  const person = await identity(client);
  if (!person) redirect("/sign-in?next=/account");
  const profile = await client
    .from("accounts")
    .select("name, color, picture, version")
    .eq("user_id", person.userId)
    .maybeSingle();
  const { name, color, picture, version } = accountRow.parse(
    profile.data ?? { name: "", color: null, picture: null, version: 0 },
  );
  const [member, events, sessions] = await Promise.all([
    client
      .from("members")
      .select("given_color")
      .eq("user_id", person.userId)
      .eq("phase", "active")
      .order("joined_at")
      .limit(1)
      .maybeSingle(),
    supabaseStore(client).read(person.userId, Math.max(0, version - lastEvents)),
    readSessions(client),
  ]);
  const given = memberRow.parse(member.data ?? { given_color: givenColors[0] }).given_color;
  const theme = parseTheme((await cookies()).get(themeCookie)?.value);
  return (
    <main className={styles.page} id="main">
      <div className={styles.inner}>
        <div className={styles.bar}>
          <Link className={buttonClass({ look: "quiet" })} href="/">
            <Icon of={ArrowLeft} />
            Back
          </Link>
        </div>
        <h1>Account</h1>
        <section className={styles.section} aria-labelledby="profile">
          <h2 id="profile">Profile</h2>
          <ProfileForm
            userId={person.userId}
            name={name || (person.email.split("@")[0] ?? "")}
            color={color}
            given={given}
            picture={pictureAddress(person.userId, picture)}
          />
        </section>
        <section className={styles.section} aria-labelledby="theme">
          <h2 id="theme">Theme</h2>
          <div>
            <ThemeChoice theme={theme} />
          </div>
        </section>
        <section className={styles.section} aria-labelledby="email">
          <h2 id="email">Email</h2>
          <EmailForm email={person.email} />
        </section>
        <section className={styles.section} aria-labelledby="password">
          <h2 id="password">Password</h2>
          <PasswordForm email={person.email} />
        </section>
        <section className={styles.section} aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <div>
            <SessionList sessions={sessions} />
            <SessionActions />
            <p className={styles.note}>
              A device that is signed out from afar notices within ten minutes, when its token ends.
            </p>
          </div>
        </section>
        <section className={styles.section} aria-labelledby="history">
          <h2 id="history">Sign-in history</h2>
          <div>
            <p className={styles.note}>
              Read from the log of your account, which nobody can change. Your browsers said what
              happened; the database says when.
            </p>
            <RefusedAuthEvents userId={person.userId} />
            <AuthHistoryList entries={authHistory(events)} />
          </div>
        </section>
        <section className={styles.section} aria-labelledby="data">
          <h2 id="data">Your data</h2>
          <DataToTake />
        </section>
        <section className={styles.section} aria-labelledby="deletion">
          <h2 id="deletion">Delete account</h2>
          <AccountDeletion email={person.email} />
        </section>
      </div>
    </main>
  );
}
