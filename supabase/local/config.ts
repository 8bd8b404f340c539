import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "smol-toml";
import { z } from "zod";

const template = z.object({ subject: z.string().optional(), content_path: z.string().optional() });

const configSchema = z.object({
  api: z.object({ schemas: z.array(z.string()), max_rows: z.number().int() }),
  auth: z.object({
    enable_signup: z.boolean(),
    additional_redirect_urls: z.array(z.string()),
    jwt_expiry: z.number().int(),
    enable_refresh_token_rotation: z.boolean(),
    refresh_token_reuse_interval: z.number().int(),
    minimum_password_length: z.number().int(),
    email: z.object({
      // Version 4 of the Supabase CLI rejects a file that contains this key.
      enable_signup: z.boolean().default(true),
      // An address change must always be confirmed from both mailboxes.
      double_confirm_changes: z.literal(true),
      enable_confirmations: z.boolean(),
      secure_password_change: z.boolean(),
      max_frequency: z.string(),
      otp_length: z.number().int(),
      otp_expiry: z.number().int(),
      template: z.object({
        confirmation: template,
        recovery: template,
        magic_link: template,
        email_change: template,
      }),
    }),
    rate_limit: z.object({
      email_sent: z.number().int(),
      token_refresh: z.number().int(),
      sign_in_sign_ups: z.number().int(),
      token_verifications: z.number().int(),
    }),
  }),
  storage: z.object({ file_size_limit: z.string() }),
  functions: z
    .record(z.string(), z.looseObject({ verify_jwt: z.boolean().default(true) }))
    .default({}),
});
/** The settings of `supabase/config.toml` that the embedded backend supports. */
export type ProjectConfig = z.infer<typeof configSchema>;

/** Reads `supabase/config.toml` under `root`. Throws if a setting is missing or invalid. */
export async function readProjectConfig(root: string): Promise<ProjectConfig> {
  return configSchema.parse(parse(await readFile(join(root, "supabase", "config.toml"), "utf8")));
}
