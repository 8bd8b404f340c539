import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { CommandListener } from "@/components/commands/command-listener";
import { captureEarlyTitle } from "@/components/document/title-field/early-title";
import { captureEarlyWriting } from "@/components/editor/early/early-capture";
import { tolerateForeignNodes } from "@/components/loading/foreign-nodes";
import { HydrationEnd } from "@/components/loading/hydration-end";
import { BackendProvider } from "@/components/session/backend-provider";
import { OthersPages } from "@/components/session/cached-page-cleanup";
import { OutboxFlush } from "@/components/session/outbox-flush";
import { SessionDialog } from "@/components/session/session-dialog";
import { FontPreload } from "@/components/ui/screen/font-preload";
import { RetainedTitle } from "@/components/ui/screen/retained-title";
import { themeCookie, parseTheme } from "@/components/ui/screen/theme";
import { FocusWatch } from "@/components/ui/keyboard/focus-watch";
import { ToastRegion } from "@/components/ui/toast";
import { authCookie } from "@/supabase/cookie";
import { environment } from "@/supabase/environment";
import "./tokens.css";
import "./fonts.css";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Palimpsest", template: "%s — Palimpsest" },
  description: "Write together, live, and play back the whole history of what you wrote.",
  referrer: "same-origin",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f2f2ee" },
    { media: "(prefers-color-scheme: dark)", color: "#121211" },
  ],
};

// The functions are inlined as source, so that they run before the page's scripts have loaded.
const early = [tolerateForeignNodes, captureEarlyWriting, captureEarlyTitle]
  .map((capture) => `(${capture.toString()})()`)
  .join(";");

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Every page is rendered per request: its scripts carry the response's nonce, and its backend is
  // known only at run time.
  await connection();
  const brought = await cookies();
  const theme = parseTheme(brought.get(themeCookie)?.value);
  // A long session is split over several cookies.
  const visitor = !brought.getAll().some(({ name }) => name.startsWith(authCookie));
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const { publicUrl, publishableKey, mailPage, messageLimit } = environment();
  return (
    <html lang="en" data-theme={theme === "system" ? undefined : theme}>
      <body>
        {/* Browsers hide a script's nonce from the page, so hydration would report a mismatch. */}
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: early }}
        />
        <HydrationEnd />
        <FontPreload />
        <RetainedTitle />
        <BackendProvider
          url={publicUrl}
          publishableKey={publishableKey}
          mailPage={mailPage}
          messageLimit={messageLimit}
          visitor={visitor}
        >
          <FocusWatch />
          <ToastRegion>
            {children}
            <SessionDialog />
            <OthersPages />
            <OutboxFlush />
            <CommandListener />
          </ToastRegion>
        </BackendProvider>
      </body>
    </html>
  );
}
