import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { MailBox } from "@/components/mail/mail-box";
import styles from "@/components/mail/mail-box.module.css";
import { BrandMark } from "@/components/ui/pictures/brand-mark";
import { Link } from "@/components/ui/link";
import { environment } from "@/supabase/environment";

export const metadata: Metadata = { title: "Outgoing mail" };

export default function MailPage() {
  if (!environment().embedded) notFound();
  return (
    <main className={styles.page} id="main">
      <div className={styles.inner}>
        <header className={styles.head}>
          <Link className={styles.brand} href="/">
            <BrandMark size={22} />
            Palimpsest
          </Link>
          <h1>Outgoing mail</h1>
          <p>
            This workspace runs on its own and sends no mail. What it would have sent is kept here,
            newest first.
          </p>
        </header>
        <MailBox />
      </div>
    </main>
  );
}
