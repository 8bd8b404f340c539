import type { ReactNode } from "react";
import { AuthLayout } from "@/components/account/sign-in/auth-layout";
import { StrayTokens } from "@/components/account/sign-in/stray-tokens";

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <AuthLayout>
      <StrayTokens />
      {children}
    </AuthLayout>
  );
}
