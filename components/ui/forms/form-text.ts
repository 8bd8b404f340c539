import { normalizedName } from "@/events/core/text/visible-text";

/** Takes a text from a submitted form, without space around it; empty where nothing of it would be seen. */
export function formText(form: FormData, name: string): string {
  return normalizedName(formSecret(form, name));
}

/** Takes a password from a submitted form, untouched. */
export function formSecret(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** Says what is wrong with an email address as typed, or null; the mail itself is the only real proof. */
export function emailProblem(email: string): string | null {
  if (!email) return "Enter your email address.";
  const [local, domain, ...rest] = email.split("@");
  if (!domain || !local || rest.length > 0) return "An address looks like name@example.com.";
  if (/\s/.test(email)) return "An address has no spaces.";
  if (!/[^.]\.[^.]+$/.test(domain)) return "This address has no ending, such as .com.";
  return null;
}
