import type { Metadata } from "next";
import { cookies } from "next/headers";
import { parseZone, zoneCookie } from "@/components/ui/clock-cookie";
import {
  searchAddressIn,
  searchQueryOf,
  searchRequestOf,
} from "@/components/workspace/search/search-address";
import { SearchPage } from "@/components/workspace/search/search-page";
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
  if (address.words.trim() === "") return <SearchPage initial={null} />;
  const zone = parseZone((await cookies()).get(zoneCookie)?.value);
  const answer = await search(await pageClient(), workspace, searchRequestOf(address, zone));
  return <SearchPage initial={{ query: searchQueryOf(address), answer }} />;
}
