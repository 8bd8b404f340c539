import { bytesWords } from "@/events/content/file-attributes";
import { isolated } from "@/events/core/text/isolated";
import styles from "./files.module.css";
import type { Upload } from "./uploads";

function button(label: string, run: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = styles.button ?? "";
  made.textContent = label;
  made.addEventListener("click", run);
  return made;
}

function stateWords({ actor }: Upload): string {
  const snapshot = actor.getSnapshot();
  const { sent, bytes, failure } = snapshot.context;
  if (snapshot.matches("failed")) return failure?.message ?? "";
  if (snapshot.matches("offline")) return "Waits for a connection. It is kept on this device.";
  if (snapshot.matches({ claiming: "waiting" })) return "Uploading in another tab";
  if (snapshot.matches("settling")) return "Uploaded, being prepared";
  return `Uploading, ${bytesWords(Math.min(sent, bytes))} of ${bytesWords(bytes)}`;
}

/** Shows the progress of an upload with its actions. Returns the function that stops showing it. */
export function showUpload(card: HTMLElement, upload: Upload, remove: () => void): () => void {
  const { actor, name } = upload;
  const title = document.createElement("b");
  title.textContent = isolated(name);
  const state = document.createElement("small");
  const words = document.createElement("span");
  words.append(title, state);
  const actions = document.createElement("span");
  actions.className = styles.actions ?? "";
  const bar = document.createElement("div");
  bar.className = styles.bar ?? "";
  bar.role = "progressbar";
  bar.ariaLabel = `Uploading ${name}`;
  bar.ariaValueMin = "0";
  bar.ariaValueMax = "100";
  const done = document.createElement("i");
  bar.append(done);
  card.className = styles.card ?? "";
  card.contentEditable = "false";
  card.replaceChildren(words, actions, bar);
  let shown = "";
  const draw = () => {
    const snapshot = actor.getSnapshot();
    const { sent, bytes, failure } = snapshot.context;
    const hundredths = Math.round((100 * Math.min(sent, bytes)) / Math.max(1, bytes));
    const failed = snapshot.matches("failed");
    state.textContent = stateWords(upload);
    card.dataset.failed = String(failed);
    card.role = failed ? "alert" : "group";
    bar.hidden = failed;
    bar.ariaValueNow = String(hundredths);
    done.style.inlineSize = `${hundredths}%`;
    const kind = failed ? (failure?.final === true ? "final" : "failed") : "under way";
    if (kind === shown) return;
    shown = kind;
    const cancel = () => {
      actor.send({ type: "cancel" });
      remove();
    };
    actions.replaceChildren(
      ...(kind === "failed" ? [button("Retry", () => actor.send({ type: "retry" }))] : []),
      button(kind === "under way" ? "Cancel" : "Remove", cancel),
    );
  };
  draw();
  const { unsubscribe } = actor.subscribe(draw);
  return unsubscribe;
}
