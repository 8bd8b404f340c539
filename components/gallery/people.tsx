import { Avatar } from "@/components/ui/avatar";
import { BrandMark } from "@/components/ui/brand-mark";
import { LocalTime } from "@/components/ui/local-time";
import { palette } from "@/components/ui/palette";
import { Kind, Specimen } from "./specimen";

const sizes = ["mini", "small", "medium", "large"] as const;

/** Who and when: faces in every size and colour, times, the mark of the product. */
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
