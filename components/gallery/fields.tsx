"use client";

import { useState } from "react";
import { ColorChoice } from "@/components/ui/forms/color-choice";
import { Field } from "@/components/ui/field";
import { PasswordField } from "@/components/ui/forms/password-field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Select } from "@/components/ui/forms/select";
import { Kind, Specimen } from "./specimen";

const roles = [
  { value: "viewer", label: "can read", detail: "Reads texts and their history" },
  { value: "editor", label: "can edit", detail: "Writes and comments" },
  { value: "owner", label: "owner", detail: "Invites and removes people" },
] as const;
type Role = (typeof roles)[number]["value"];

/** Shows inputs with help, errors and inner buttons, and choices. */
export function Fields() {
  const [role, setRole] = useState<Role>("editor");
  const [color, setColor] = useState<number | null>(null);
  return (
    <Kind name="Fields">
      <Specimen name="Field">
        <div className="whole">
          <Field label="Name" defaultValue="Ana Prado" />
        </div>
      </Specimen>
      <Specimen name="Field, empty, with help">
        <div className="whole">
          <Field
            label="Workspace"
            placeholder="Harbour board"
            help="Others see it in their list."
          />
        </div>
      </Specimen>
      <Specimen name="Field, wrong">
        <div className="whole">
          <Field label="Email" defaultValue="ana@" error="Enter a whole address." />
        </div>
      </Specimen>
      <Specimen name="Field, disabled">
        <div className="whole">
          <Field label="Address" defaultValue="ana@example.com" disabled />
        </div>
      </Specimen>
      <Specimen name="PasswordField">
        <div className="whole">
          <PasswordField label="Password" defaultValue="a passphrase" help="Ten letters or more." />
        </div>
      </Specimen>
      <Specimen name="Segmented">
        <Segmented label="Role" value={role} onChange={setRole} options={roles} />
      </Specimen>
      <Specimen name="Select, plain, edged, disabled">
        <Select label="Role, plain" value={role} onChange={setRole} options={roles} />
        <Select label="Role, edged" value={role} onChange={setRole} options={roles} edge />
        <Select label="Role, fixed" value={role} onChange={setRole} options={roles} edge disabled />
      </Specimen>
      <Specimen name="ColorChoice">
        <ColorChoice label="Colour" name="color" value={color} given={7} onChange={setColor} />
      </Specimen>
    </Kind>
  );
}
