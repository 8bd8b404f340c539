"use client";

import { useRouter } from "next/navigation";
import { useActionState, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { longestPersonName } from "@/events/core/text/text-lengths";
import { sentence } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { useTab } from "@/components/session/backend-provider";
import { usePersonOfPage } from "@/components/session/person/use-page-person";
import { Button } from "@/components/ui/button";
import { ColorChoice } from "@/components/ui/forms/color-choice";
import { Field } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { FormNotice } from "@/components/ui/forms/form-notice";
import { formText } from "@/components/ui/forms/form-text";
import { PictureForm } from "./picture-form";
import styles from "../account-page.module.css";

type State = { name: string; error: string | null; problem: string | null; stamp: number };

/** `color` is the person's choice, or null without a choice. `given` is their default colour. */
type Props = {
  userId: string;
  name: string;
  color: number | null;
  given: number;
  /** The URL of the person's picture, or null without a picture. */
  picture: string | null;
};

/** Changes the person's name and colour in all workspaces at once. */
export function ProfileForm({ userId, name, color, given, picture }: Props) {
  usePersonOfPage(userId);
  const { open } = useTab();
  const router = useRouter();
  const toast = useToast();
  const [chosen, setChosen] = useState(color);
  const [typed, setTyped] = useState(name);

  const [state, submit, busy] = useActionState(
    async (before: State, form: FormData): Promise<State> => {
      const next = formText(form, "name");
      const answered = { name: next, error: null, problem: null, stamp: before.stamp + 1 };
      if (!next) return { ...answered, error: "Enter the name that others will see." };
      const { backend } = await open();
      try {
        const answer = await backend.store.append(userId, null, [
          {
            id: systemRandom.uuid(),
            type: "account.profile_changed",
            body: { name: next, color: chosen },
          },
        ]);
        if (!answer.ok) return { ...answered, problem: sentence(answer.refusal) };
      } catch (fault) {
        if (!(fault instanceof StoreFault)) throw fault;
        return {
          ...answered,
          problem:
            "The server can’t be reached. Your profile wasn’t changed; try again in a moment.",
        };
      }
      toast({ text: "Saved" });
      router.refresh();
      return answered;
    },
    { name, error: null, problem: null, stamp: 0 },
  );

  return (
    <form className={styles.form} action={submit} noValidate>
      <FormNotice problem={state.problem} stamp={state.stamp} />
      <PictureForm userId={userId} name={typed} color={chosen ?? given} picture={picture} />
      <Field
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={longestPersonName}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={state.error}
        help="Shown beside what you write."
      />
      <ColorChoice label="Colour" name="color" value={chosen} given={given} onChange={setChosen} />
      <div>
        <Button type="submit" look="edge" busy={busy}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
