"use client";

import { Avatar } from "@/components/ui/pictures/avatar";
import { BrandMark } from "@/components/ui/pictures/brand-mark";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { LocalTime } from "@/components/ui/time/local-time";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { palette } from "@/components/ui/pictures/palette";
import { Kind, Specimen } from "./specimen";

const sizes = ["mini", "small", "medium", "large", "profile"] as const;

const picture =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'>" +
  "<path fill='teal' d='M0 0h8v8H0z'/><circle cx='4' cy='4' r='2' fill='pink'/></svg>";

/** Shows avatars in every size and colour, times, document icons and the brand mark. */
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
      <Specimen name="Avatar, with a picture">
        {sizes.map((size) => (
          <Avatar key={size} name="Ana Prado" color={0} size={size} picture={picture} labelled />
        ))}
        <Avatar name="Ana Prado, idle" color={0} picture={picture} idle labelled />
        <Avatar name="Ana Prado, cannot be had" color={0} picture="data:," labelled />
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
