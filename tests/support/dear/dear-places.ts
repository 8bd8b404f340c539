import { randomUUID } from "node:crypto";
import postgres from "postgres";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { documentById } from "@/events/read-models/document-rows";
import { databaseUrl } from "@/tests/support/product/backend";
import type { DearRequest } from "@/tests/support/dear/dear-requests";
import { fillWorkspace, longest } from "@/tests/support/writers/full-workspace";
import type { Person } from "@/tests/support/writers/people";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

/** A workspace whose lists are at their limits, and a long document in it. */
export type DearPlace = { workspace: string; document: string };

/** A paragraph of letters, marks and a second script, so that a PDF has to choose fonts. */
const words = "The pier stands on forty piles. Der Steg — eine Brücke; мост, γέφυρα. ";

/** Creates a workspace at its limits for a person, with a document of `paragraphs` paragraphs. */
export async function dearPlace(
  person: Person,
  dataDir: string,
  paragraphs: number,
): Promise<DearPlace> {
  const document = await meet([person]);
  const workspace = (await documentById(person.client, document))?.workspaceId ?? "";
  const doc = new Y.Doc();
  const blocks = Array.from({ length: paragraphs }, (_, index) => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText(`${index}. ${words}`)]);
    return paragraph;
  });
  doc.getXmlFragment("default").push(blocks);
  const now = new Date();
  const edits = [{ update: Y.encodeStateAsUpdate(doc), time: now.getTime() }];
  granted(
    await supabaseStore(person.client).append(document, null, [
      {
        id: randomUUID(),
        type: "document.edited",
        body: {},
        schema: schemaVersion,
        clientIds: [doc.clientID],
        update: encodeEdits(edits),
        clientTime: now.toISOString(),
      },
    ]),
  );
  const sql = postgres(await databaseUrl(dataDir), { max: 1, onnotice: () => undefined });
  try {
    const documents = longest.documents - 1;
    await fillWorkspace(sql, workspace, person.user.id, { ...longest, documents });
  } finally {
    await sql.end({ timeout: 1 });
  }
  return { workspace, document };
}

const page = (name: string, path: string, sender: DearRequest["sender"]): DearRequest => ({
  name,
  sender,
  method: "GET",
  path,
});

/** Returns requests for the pages of a workspace at its limits. */
export const fullPages = ({ workspace, document }: DearPlace): DearRequest[] => [
  page("the reader's workspaces", "/", "account"),
  page("the list of documents", `/w/${workspace}`, "account"),
  page("members and invitations", `/w/${workspace}/members`, "account"),
  page("the trash", `/w/${workspace}/trash`, "account"),
  page("the activity", `/w/${workspace}/activity`, "account"),
  page("the search", `/w/${workspace}/search?q=document`, "account"),
  page("a long document", `/d/${document}`, "account"),
  page("the account", "/account", "account"),
];

/** Pages that need no session. */
export const openPages: readonly DearRequest[] = [
  page("the sign-in page", `/sign-in?next=${"%2F".repeat(2_000)}`, "anyone"),
  page("the sign-up page", "/sign-up", "anyone"),
  page("an invitation", `/invite/${randomUUID()}`, "anyone"),
  page("a page that is not there", `/${"a/".repeat(2_000)}`, "anyone"),
  page("mail", "/mail", "anyone"),
];

/** Returns requests for a long document in each file format. */
export const dearFiles = ({ document }: DearPlace): DearRequest[] =>
  ["pdf", "docx", "html", "md"].map((kind) =>
    page(`a long document as ${kind}`, `/d/${document}/download?as=${kind}`, "account"),
  );
