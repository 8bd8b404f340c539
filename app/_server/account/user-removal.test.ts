import { afterAll, expect, it, vi } from "vitest";

const broken = "00000000-0000-4000-8000-000000000001";
const sound = "00000000-0000-4000-8000-000000000002";
/** A user that a run removed before it ended without recording the removal. */
const gone = "00000000-0000-4000-8000-000000000003";
const faults = new Map([
  [broken, { message: "Database error deleting user", status: 500 }],
  [gone, { message: "User not found", status: 404 }],
]);
const forgotten: string[] = [];
const service = {
  rpc: async (name: string, { person }: { person?: string }) => {
    if (person !== undefined) forgotten.push(person);
    const data = name === "read_deleted_accounts" ? [broken, gone, sound] : null;
    return { data, error: null, status: 200 };
  },
  storage: { from: () => ({ list: async () => ({ data: [], error: null }) }) },
  auth: {
    admin: {
      deleteUser: async (user: string) => ({ error: faults.get(user) ?? null }),
    },
  },
};
vi.mock("@/supabase/server", () => ({ serviceClient: () => service }));
const { removeDeletedUsers } = await import("./user-removal");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.resetModules();
});

it("[ACC-42] goes on after a user that cannot be removed, and records one that is already gone", async () => {
  await expect(removeDeletedUsers()).rejects.toThrow("Database error deleting user");
  expect(forgotten).toEqual([gone, sound]);
});
