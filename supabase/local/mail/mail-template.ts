import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProjectConfig } from "../config";

export type Template = { subject: string; html: string };
export type Templates = {
  emailChange: Template;
  addressTaken: Template;
  existingAccount: Template;
};

/**
 * Reads the mails that Lite does not send: for an address change, and for the owner of an account
 * whose address another person tries to use.
 */
export async function readTemplates(root: string, config: ProjectConfig): Promise<Templates> {
  const { subject = "Confirm your change of address", content_path: path } =
    config.auth.email.template.email_change;
  if (path === undefined)
    throw new Error(
      "supabase/config.toml names no content_path for auth.email.template.email_change",
    );
  const read = (file: string) => readFile(join(root, file), "utf8");
  const already = "You already have an account";
  return {
    emailChange: { subject, html: await read(path) },
    addressTaken: { subject: already, html: await read("supabase/templates/address-taken.html") },
    existingAccount: {
      subject: already,
      html: await read("supabase/templates/existing-account.html"),
    },
  };
}

/** Fills a template's `{{ .Name }}` placeholders with values, as text. */
export function filled(
  { subject, html }: Template,
  values: Record<string, string>,
): { subject: string; html: string } {
  return {
    subject,
    html: html.replace(/\{\{ \.(\w+) \}\}/g, (whole, name: string) =>
      escaped(values[name] ?? whole),
    ),
  };
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
