"use client";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/forms/select";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { seesEverything } from "@/machines/history-visibility";
import { filterCount, noFilters } from "./search-address";
import type { SearchAddress } from "./search-address";
import styles from "./search.module.css";

type Props = {
  address: SearchAddress;
  onChange: (change: Partial<SearchAddress>) => void;
};

const anyone = "anyone";

/** Shows the filters of a search: author, time, the day of the text, and the trash. */
export function SearchFilters({ address, onChange }: Props) {
  const { people, me, role, history } = useWorkspace("people", "me", "role", "history");
  // Other readers may not see who wrote which words, and when.
  const seesAuthors = role !== null && seesEverything(role, history);
  const { by, from, to, at, withTrash } = address;
  const others = [...people.values()].filter(({ userId }) => userId !== me.userId);
  const options = [
    { value: anyone, label: "Anyone" },
    { value: me.userId, label: "You" },
    ...others
      .map(({ userId, name }) => ({ value: userId, label: name }))
      .sort((one, other) => one.label.localeCompare(other.label)),
    ...(by !== null && !people.has(by) ? [{ value: by, label: "Somebody else" }] : []),
  ];
  return (
    <>
      <h2 className={styles.heading}>Filters</h2>
      {seesAuthors && (
        <>
          <div className={styles.choice}>
            <span aria-hidden>By</span>
            <Select
              label="By"
              edge
              value={by ?? anyone}
              options={options}
              onChange={(value) => onChange({ by: value === anyone ? null : value })}
            />
          </div>
          <div className={styles.days}>
            <Field
              label="From"
              type="date"
              value={from ?? ""}
              max={to ?? undefined}
              onChange={(event) => onChange({ from: event.target.value || null })}
            />
            <Field
              label="To"
              type="date"
              value={to ?? ""}
              min={from ?? undefined}
              onChange={(event) => onChange({ to: event.target.value || null })}
            />
          </div>
        </>
      )}
      <Field
        label="As of"
        type="date"
        value={at ?? ""}
        help="Search the text as it stood on a day you choose."
        onChange={(event) => onChange({ at: event.target.value || null })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={withTrash}
          onChange={(event) => onChange({ withTrash: event.target.checked })}
        />
        Include the trash
      </label>
      {filterCount(address) > 0 && (
        <Button look="plain" className={styles.clear} onClick={() => onChange(noFilters)}>
          Clear filters
        </Button>
      )}
    </>
  );
}
