import { isolated } from "@/events/core/text/isolated";
import { numberWords } from "@/events/core/text/number-words";
import type { DeletionEffect } from "@/events/read-models/account-end";
import { Link } from "@/components/ui/link";
import styles from "./delete-account.module.css";

const nameOf = ({ name }: DeletionEffect) => isolated(name.trim() === "" ? "Untitled" : name);

const documentsWords = (count: number) =>
  count === 1 ? "1 document" : `${numberWords(count)} documents`;

/** Lists the workspaces that prevent the deletion or, if none does, the effect on each. */
export function WorkspaceEffects({ effects }: { effects: readonly DeletionEffect[] }) {
  const of = (effect: DeletionEffect["effect"]) => effects.filter((each) => each.effect === effect);
  const [kept, alone, left] = [of("kept"), of("alone"), of("left")];
  if (kept.length > 0)
    return (
      <div className={styles.effects}>
        <p id="hand-over">
          You are the only owner here, and others are members. Make one of them an owner first, or
          remove them:
        </p>
        <ul aria-labelledby="hand-over">
          {kept.map((each) => (
            <li key={each.id}>
              <Link className="link" href={`/w/${each.id}/members`}>
                {nameOf(each)}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <div className={styles.effects}>
      {alone.length > 0 && (
        <>
          <p id="deleted-too">Nobody else is in these. They are deleted with everything in them:</p>
          <ul aria-labelledby="deleted-too">
            {alone.map((each) => (
              <li key={each.id}>
                {nameOf(each)} <small>{documentsWords(each.documents)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {left.length > 0 && (
        <>
          <p id="left-to-others">You leave these, and they go on without you:</p>
          <ul aria-labelledby="left-to-others">
            {left.map((each) => (
              <li key={each.id}>{nameOf(each)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
