import { normalizedName } from "@/events/core/text/visible-text";

/** Returns a text from a submitted form, normalized. A text without visible letters is empty. */
export function formText(form: FormData, name: string): string {
  return normalizedName(formSecret(form, name));
}

/** Returns a password from a submitted form, unchanged. */
export function formSecret(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Returns the problem of a typed email address, or null. Only a delivered mail proves it. */
export function emailProblem(email: string): string | null {
  if (!email) return "Enter your email address.";
  const [local, domain, ...rest] = email.split("@");
  if (!domain || !local || rest.length > 0) return "An address looks like name@example.com.";
  if (/\s/.test(email)) return "An address has no spaces.";
  if (!/[^.]\.[^.]+$/.test(domain)) return "This address has no ending, such as .com.";
  return null;
}
