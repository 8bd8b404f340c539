import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { HydrationEnd } from "@/components/loading/hydration-end";
import { tolerateForeignNodes } from "@/components/loading/foreign-nodes";

/** Renders a page that makes every kind of change that React makes to text and elements. */
function Rewritten() {
  const [step, setStep] = useState(0);
  return (
    <main>
      <HydrationEnd />
      <button onClick={() => setStep(step + 1)}>Next</button>
      <p id="text">
        Step {step} of {"three"}
      </p>
      <p id="only">{`At ${step}`}</p>
      <p id="gone">
        {step < 1 && "Here at first"}
        <b>always</b>
        {step > 1 && "and here later"}
      </p>
      <p id="between">
        {step > 0 && <i>before</i>}
        words
        {step > 1 ? <i>behind</i> : "without"}
      </p>
      <form>
        <label>
          Name <input name="name" />
        </label>
        {step > 0 && <em>filled in</em>}
      </form>
      <ul id="moved">
        {(step % 2 === 0 ? ["a", "b", "c"] : ["c", "a", "b"]).map((item) => (
          <li key={item}>
            {"Item "}
            {item}
          </li>
        ))}
      </ul>
    </main>
  );
}

declare global {
  interface Window {
    hydrate: () => void;
    errors: string[];
  }
}

window.errors = [];
addEventListener("error", ({ message }) => window.errors.push(message));
tolerateForeignNodes();
const root = document.createElement("div");
root.innerHTML = renderToString(<Rewritten />);
document.body.append(root);
window.hydrate = () =>
  void hydrateRoot(root, <Rewritten />, {
    onRecoverableError: (error) => window.errors.push(String(error)),
  });
