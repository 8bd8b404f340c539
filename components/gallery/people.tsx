"use client";

import { Avatar } from "@/components/ui/avatar";
import { BrandMark } from "@/components/ui/brand-mark";
import { DocumentIcon } from "@/components/ui/document-icon";
import { LocalTime } from "@/components/ui/local-time";
import { PageIcon } from "@/components/ui/page-icon";
import { palette } from "@/components/ui/palette";
import { Kind, Specimen } from "./specimen";

const sizes = ["mini", "small", "medium", "large"] as const;

/** Who and when: faces in every size and colour, times, icons of documents, the mark of the product. */
export function People() {
  return (
    <Kind name="People and times">
      <Specimen name="Avatar, sizes">
        {sizes.map((size) => (
          <Avatar key={size} name="Ana Prado" color={0} size={size} labelled />
        ))}
      </Specimen>
      <Specimen name="Avatar, colours">
        {palette.map((name, color) => (
          <Avatar key={name} name={name} color={color} labelled />
        ))}
      </Specimen>
      <Specimen name="Avatar, idle">
        {palette.map((name, color) => (
          <Avatar key={name} name={`${name}, idle`} color={color} idle labelled />
        ))}
      </Specimen>
      <Specimen name="PageIcon">
        <PageIcon emoji="🌊" onChange={() => undefined} />
        <PageIcon emoji={null} onChange={() => undefined} />
        <PageIcon emoji="🌊" onChange={null} />
        <PageIcon emoji="🌊" color={0} onChange={null} />
      </Specimen>
      <Specimen name="DocumentIcon">
        <DocumentIcon emoji="🌊" />
      </Specimen>
      <Specimen name="LocalTime">
        <LocalTime iso="2026-03-01T16:05:00Z" />
      </Specimen>
      <Specimen name="BrandMark">
        <BrandMark />
        <BrandMark size={32} />
      </Specimen>
    </Kind>
  );
}
