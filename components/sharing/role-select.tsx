"use client";

import { useAnnounce } from "@/components/ui/screen/announcer";
import { firstName } from "@/events/read-models/person";
import { Select } from "@/components/ui/forms/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { MemberView } from "@/components/workspace-state/workspace-context";
import type { Role } from "@/machines/member";
import { roleLabel, roleOptions } from "./role-words";
import styles from "./role-select.module.css";

const offered = ["viewer", "commenter", "editor", "owner"] as const satisfies readonly Role[];

/** Shows a member's role: as a select if the reader may change the role, otherwise as words. */
export function RoleSelect({ member }: { member: MemberView }) {
  const { act, may, keepsAnOwner } = useWorkspace("act", "may", "keepsAnOwner");
  const announce = useAnnounce();
  const subject = { kind: "member", id: member.userId };
  const options = roleOptions(member.role, offered)
    .filter(({ value }) => keepsAnOwner(member.userId, value))
    .map((option) => ({ ...option, label: roleLabel(option.value) }));
  if (!may("member.role_changed", subject) || options.length < 2)
    return <span className={styles.fixed}>{roleLabel(member.role)}</span>;
  const change = async (role: Role) => {
    if (role === member.role) return;
    const { ok } = await act("member.role_changed", { role }, subject);
    if (ok) announce(`${firstName(member)} is now ${role}`);
  };
  return (
    <Select
      label={`Role of ${member.name}`}
      value={member.role}
      onChange={(role) => void change(role)}
      options={options}
    />
  );
}
