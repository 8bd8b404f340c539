/**
 * Mails an invitation: `POST { workspace, invitation, token }` with the session of an owner who has
 * just appended it. What is mailed, and to whom, is read from the database with the caller's own
 * rights and the token; nothing of the mail is the caller's to word. `MAIL_URL` takes the mail as
 * `{ to, subject, html, text }` with the service key, or with `MAIL_KEY` where a provider has a key
 * of its own, and `MAIL_FROM` as the sender.
 */
type Preview = {
  workspaceName: string;
  inviterName: string;
  kind: string;
  email: string | null;
  role: string;
  phase: string;
};

const abilities: Record<string, string> = {
  editor: "read and write",
  commenter: "read and comment",
  viewer: "read",
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const tokenShape = /^[\w-]{22,128}$/;

const variable = (name: string): string => Deno.env.get(name) ?? "";
// On a hosted project the page lives at another origin and the function itself answers for that.
// The session travels in a header that only our page has, so any origin may ask.
const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
};
const answer = (status: number, message: string): Response =>
  Response.json({ message }, { status, headers: cors });
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function field(value: unknown, name: string): string {
  const found: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof found === "string" ? found : "";
}

async function rest(path: string, authorization: string, init: RequestInit = {}): Promise<unknown> {
  const headers = {
    apikey: variable("SUPABASE_ANON_KEY"),
    authorization,
    "content-type": "application/json",
  };
  const response = await fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`the database answered ${response.status}`);
  return response.json();
}

function previewOf(value: unknown): Preview | null {
  if (typeof value !== "object" || value === null) return null;
  const email = field(value, "email");
  return {
    workspaceName: field(value, "workspaceName"),
    inviterName: field(value, "inviterName"),
    kind: field(value, "kind"),
    email: email || null,
    role: field(value, "role"),
    phase: field(value, "phase"),
  };
}

Deno.serve(async (request) => {
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: cors });
  if (request.method !== "POST") return answer(405, "Ask with POST.");
  const authorization = request.headers.get("authorization") ?? "";
  const body: unknown = await request.json().catch(() => null);
  const [invitation, token] = [field(body, "invitation"), field(body, "token")];
  if (!uuid.test(invitation) || !tokenShape.test(token))
    return answer(400, "An invitation and its token are needed.");

  // The caller must be able to see the invitation as a member and hold its token: only who made it has both.
  const seen = await rest(`invitations?id=eq.${invitation}&select=id`, authorization);
  if (!Array.isArray(seen) || seen.length !== 1)
    return answer(403, "You may not send this invitation.");
  const lookup = { method: "POST", body: JSON.stringify({ invitation, token }) };
  const preview = previewOf(await rest("rpc/preview_invitation", authorization, lookup));
  if (!preview?.email || preview.kind !== "email" || preview.phase !== "open")
    return answer(409, "This invitation is not open.");

  const site = variable("SITE_URL") || request.headers.get("origin") || "";
  const link = `${site}/invite/${invitation}?token=${token}`;
  const inviter = preview.inviterName || "Somebody";
  const subject = `${inviter} invites you to ${preview.workspaceName}`;
  const sentence =
    `${inviter} invites you to the workspace ` +
    `${preview.workspaceName}, to ` +
    `${abilities[preview.role] ?? "read"}.`;
  const after =
    "Whoever joins can also play the history of everything written there. If you do not " +
    "know the sender, ignore this mail; nothing happens.";
  const mail = {
    ...(variable("MAIL_FROM") && { from: variable("MAIL_FROM") }),
    to: preview.email,
    subject,
    text: `${sentence}\n\n${link}\n\n${after}`,
    html:
      `<h2>${escaped(subject)}</h2><p>${escaped(sentence)}</p><p><a ` +
      `href="${escaped(link)}">Open the ` +
      `invitation</a></p><p>${escaped(after)}</p>`,
  };
  const key = variable("MAIL_KEY") || variable("SUPABASE_SERVICE_ROLE_KEY");
  const sent = await fetch(variable("MAIL_URL"), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(mail),
  });
  return sent.ok
    ? new Response(null, { status: 204, headers: cors })
    : answer(502, "The mail could not be sent.");
});
