import type { ReactNode } from "react";
import { Door } from "@/components/account/auth-layout";
import { StrayTokens } from "@/components/account/stray-tokens";

export default function DoorLayout({ children }: { children: ReactNode }) {
  return (
    <Door>
      <StrayTokens />
      {children}
    </Door>
  );
}
