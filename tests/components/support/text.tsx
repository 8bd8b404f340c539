import { onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { ShownText } from "@/components/editor/binding/live-text";
import { TextEditor } from "@/components/editor/text-editor";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { systemClock, systemRandom } from "@/events/core/clock";
import { schemaVersion } from "@/events/content/schema";
import { memoryOutbox } from "@/events/device/outbox";
import { openDocument } from "@/machines/sync/open-document";
import { render } from "./render";

const documentId = "00000000-0000-4000-8000-00000000d0c5";
const nothing = () => {};

const textIn = (region: string) =>
  page.getByRole("region", { name: region }).getByRole("textbox", { name: "Document text" });

/** The text that Ana writes. */
export const text = textIn("Ana");

/** The same text on Ben's read-only page. */
export const read = textIn("Ben");

/** A text on a page that does nothing else. */
function Shown({ live, editable }: { live: ShownText; editable: boolean }) {
  return (
    <TextEditor
      documentId={documentId}
      userId={live.userId}
      html="<p><br></p>"
      live={live}
      editable={editable}
      personOf={() => null}
      onRefuse={nothing}
      onUnreadable={nothing}
      onComment={null}
      onNewDocument={() => null}
      onPassage={nothing}
      onPick={nothing}
      onEditor={nothing}
      onReady={nothing}
      onUp={nothing}
    />
  );
}

/** Ana writes in an empty document that Ben reads; a backend in memory connects them. */
export async function openText(): Promise<void> {
  const backend = new MemoryBackend(systemClock, systemRandom);
  const open = async (userId: string, role: "editor" | "viewer") => {
    backend.allow(userId, role);
    const tab = backend.tab(userId, "page");
    const live = openDocument({
      documentId,
      userId,
      store: tab.store(),
      channels: tab.channels(),
      outbox: memoryOutbox(),
      clock: systemClock,
      random: systemRandom,
      schemaVersion,
      access: role === "editor" ? "write" : "read",
    });
    onTestFinished(() => live.close());
    await live.loaded;
    const shown = new ShownText(live, userId);
    onTestFinished(live.show(shown));
    return shown;
  };
  const [ana, ben] = await Promise.all([open("ana", "editor"), open("ben", "viewer")]);
  render(
    <main>
      <section aria-label="Ana">
        <Shown live={ana} editable />
      </section>
      <section aria-label="Ben">
        <Shown live={ben} editable={false} />
      </section>
    </main>,
  );
  await text.click();
}
