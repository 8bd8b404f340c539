import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { DocumentShell } from "@/components/document/document-shell";
import { titleWithIcon } from "@/components/ui/pictures/title-with-icon";
import { loadDocument } from "@/app/_server/document/load";

type Props = {
  params: Promise<{ document: string }>;
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
};

async function load({ params, searchParams }: Props) {
  const { version } = await searchParams;
  return loadDocument(
    (await params).document,
    typeof version === "string" && /^[1-9]\d{0,14}$/.test(version) ? Number(version) : null,
  );
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const loaded = await load(props);
  if (loaded === null || loaded === "signed-out") return {};
  const { icon, title } = loaded.document.row;
  const named = titleWithIcon(icon, title || "Untitled");
  return { title: { absolute: `${named} — ${loaded.workspace.workspace.name}` } };
}

export default async function Page(props: Props) {
  const { document } = await props.params;
  const loaded = await load(props);
  if (loaded === "signed-out") redirect(`/sign-in?next=${encodeURIComponent(`/d/${document}`)}`);
  if (loaded === null) notFound();
  return <DocumentShell workspace={loaded.workspace} document={loaded.document} />;
}
