import type { ReactNode } from "react";
import { AuthLayout } from "@/components/account/auth-layout";
import { StrayTokens } from "@/components/account/stray-tokens";

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout>
      <StrayTokens />
      {children}
    </AuthLayout>
  );
}
