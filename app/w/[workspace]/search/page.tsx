import type { Metadata } from "next";
import { cookies } from "next/headers";
import { parseZone, zoneCookie } from "@/components/ui/time/clock-cookie";
import {
  searchAddressIn,
  searchQueryOf,
  searchRequestOf,
} from "@/components/workspace/search/search-address";
import { mostDocuments } from "@/components/workspace/search/search-documents";
import { SearchPage } from "@/components/workspace/search/search-page";
import { documentsById } from "@/events/read-models/document-rows";
import { search } from "@/events/read-models/search";
import { pageClient } from "@/supabase/server";

type Props = {
  params: Promise<{ workspace: string }>;
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
};

export const metadata: Metadata = { title: "Search" };

export default async function Page({ params, searchParams }: Props) {
  const { workspace } = await params;
  const parameters = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const address = searchAddressIn(new URLSearchParams(parameters));
  if (address.words.trim() === "") return <SearchPage initial={null} documents={[]} />;
  const zone = parseZone((await cookies()).get(zoneCookie)?.value);
  const client = await pageClient();
  const answer = await search(client, workspace, searchRequestOf(address, zone));
  const named = [
    ...(answer?.results ?? []).flatMap(({ document, target = document }) => [document, target]),
    ...(answer?.documents ?? []).slice(0, mostDocuments).map(({ id }) => id),
  ];
  const documents = await documentsById(client, [...new Set(named)]);
  return <SearchPage initial={{ query: searchQueryOf(address), answer }} documents={documents} />;
}
