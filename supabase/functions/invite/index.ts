import { tamedName } from "./names.ts";

/**
 * Mails an invitation: `POST { workspace, invitation, token }` with the session of the owner who
 * has just appended it. The database decides whether a mail may be sent, and limits how many. Two
 * sanitised names, in quotation marks, are the only text from the sender. `MAIL_URL` receives `{
 * to, subject, html, text }` with `MAIL_KEY` as bearer token and `MAIL_FROM` as the sender.
 */
type Granted = { workspaceName: string; inviterName: string; email: string; role: string };

const abilities: Record<string, string> = {
  editor: "read and write",
  commenter: "read and comment",
  viewer: "read",
};
const refusals: Record<string, { status: number; code: string; message: string }> = {
  "not-open": {
    status: 409,
    code: "not-open",
    message: "This invitation is not open.",
  },
  "sent-lately": {
    status: 429,
    code: "sent-lately",
    message: "This invitation was mailed less than ten minutes ago.",
  },
  "account-sent-enough": {
    status: 429,
    code: "account-sent-enough",
    message:
      "You have mailed 20 invitations in a day; send the link yourself, or wait until tomorrow.",
  },
  "address-has-enough": {
    status: 429,
    code: "address-has-enough",
    message: "This address was mailed three invitations in a day; send the link yourself.",
  },
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const tokenShape = /^[\w-]{22,128}$/;

const variable = (name: string): string => Deno.env.get(name) ?? "";
// On a hosted project, pages have another origin. Any origin may call: the session is sent in a
// header, which other sites cannot forge.
const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
};
const answer = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status, headers: cors });
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function field(value: unknown, name: string): string {
  const found: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof found === "string" ? found : "";
}

/** Claims one mail of the invitation; returns a refusal's name, or the mail's data. */
async function claim(authorization: string, body: object): Promise<Granted | string> {
  const response = await fetch(`${variable("SUPABASE_URL")}/rest/v1/rpc/claim_invitation_mail`, {
    method: "POST",
    headers: {
      apikey: variable("SUPABASE_ANON_KEY"),
      authorization,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (response.status === 401 || response.status === 403) return "not-permitted";
  if (!response.ok) throw new Error(`The database responded with status ${response.status}`);
  const claimed: unknown = await response.json();
  return (
    field(claimed, "refused") || {
      workspaceName: field(claimed, "workspaceName"),
      inviterName: field(claimed, "inviterName"),
      email: field(claimed, "email"),
      role: field(claimed, "role"),
    }
  );
}

Deno.serve(async (request) => {
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
  if (request.method !== "POST") return answer(405, "method-not-allowed", "Ask with POST.");
  const authorization = request.headers.get("authorization") ?? "";
  if (!/^Bearer +\S+$/i.test(authorization))
    return answer(401, "not-permitted", "Sign in to send an invitation.");
  const body: unknown = await request.json().catch(() => null);
  const [invitation, token] = [field(body, "invitation"), field(body, "token")];
  if (!uuid.test(invitation) || !tokenShape.test(token))
    return answer(400, "bad-request", "An invitation and its token are needed.");
  // The mail provider gets its own key, never the project's.
  const [provider, key] = [variable("MAIL_URL"), variable("MAIL_KEY")];
  // The caller controls the Origin header, so it must not determine the link in a mail.
  const site = variable("SITE_URL");
  if (provider === "" || key === "" || site === "")
    return answer(501, "no-mail", "Mail is not set up: set MAIL_URL, MAIL_KEY and SITE_URL.");

  const claimed = await claim(authorization, { invitation, token });
  if (typeof claimed === "string") {
    const refused = refusals[claimed];
    return refused
      ? answer(refused.status, refused.code, refused.message)
      : answer(403, "not-permitted", "You may not send this invitation.");
  }

  const link = `${site}/invite/${invitation}?token=${token}`;
  const [inviterName, workspaceName] = [
    tamedName(claimed.inviterName),
    tamedName(claimed.workspaceName),
  ];
  const inviter = inviterName ? `“${inviterName}”` : "Somebody";
  const workspace = workspaceName ? `“${workspaceName}”` : "a workspace";
  const subject = `${inviter} invites you to ${workspace}`;
  const sentence =
    `${inviter} invites you to ${workspaceName ? "the workspace " : ""}${workspace}, to ` +
    `${abilities[claimed.role] ?? "read"}.`;
  const after =
    "People who join can also play the history of everything written there. If you do not " +
    "know the sender, ignore this mail; nothing happens.";
  const mail = {
    ...(variable("MAIL_FROM") && { from: variable("MAIL_FROM") }),
    to: claimed.email,
    subject,
    text: `${sentence}\n\n${link}\n\n${after}`,
    html:
      `<h2>${escaped(subject)}</h2><p>${escaped(sentence)}</p><p><a ` +
      `href="${escaped(link)}">Open the ` +
      `invitation</a></p><p>${escaped(after)}</p>`,
  };
  const sent = await fetch(provider, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(mail),
  });
  return sent.ok
    ? new Response(null, { status: 204, headers: cors })
    : answer(502, "not-sent", "The mail could not be sent.");
});
