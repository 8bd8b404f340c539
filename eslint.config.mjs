import boundaries from "eslint-plugin-boundaries";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

/**
 * The layers, lowest first. A folder may import from the layers before its own in this table, but
 * not from other folders of its own layer or from later ones. This includes type imports.
 */
export const layers = [
  ["supabase"],
  ["events/core/text", "events/core/bytes"],
  ["events/core/ids"],
  ["events/core"],
  ["events/log"],
  ["events/auth", "events/read-models"],
  ["events/content"],
  // Parsing and writing of other file formats.
  ["events/formats/foreign", "events/formats/writing"],
  ["events/formats/reading"],
  ["events/formats/reading/word"],
  ["events/formats"],
  ["events/crdt/updates"],
  ["events/crdt/updates/rebase"],
  ["events/crdt/payload"],
  ["events/crdt/validation"],
  ["events/history/sequence"],
  ["events/history/timeline"],
  ["events/history/segments"],
  ["events/history"],
  ["events/analysis/anchors", "events/analysis/comparison"],
  ["events/analysis/lineage"],
  ["events/analysis"],
  ["events/proof"],
  // A backup is verified by its hash chains; the embedded database has none of this code.
  ["events/backup"],
  ["events/revisions"],
  ["events/realtime"],
  ["events/device"],
  ["events/worker"],
  ["events/backend"],
  ["machines/clock"],
  ["machines/sync/status", "machines/sync/channel", "machines/sync/device"],
  ["machines/sync/composing", "machines/sync/log"],
  ["machines/sync/pending", "machines/sync/page"],
  ["machines/presence", "machines/replay", "machines/session", "machines/sync"],
  ["machines"],
  ["machines/demo", "machines/import", "machines/upload"],
  // Loading code later: on-demand, retrying-import, after-critical, release. Below ui, whose toasts
  // use it.
  ["components/loading"],
  ["components/ui"],
  ["components/session"],
  // Files assembled from many responses.
  ["components/transfer"],
  ["components/presence"],
  // The workspace data that every screen reads, and the shell that provides it.
  ["components/workspace-state"],
  // Commands, their shortcuts, and the shortcut list; the frame uses some of it.
  ["components/commands"],
  ["components/frame"],
  ["components/palette"],
  // The share dialog and the role picker are below documents, which open them.
  ["components/editor", "components/sharing"],
  ["components/history/words"],
  ["components/history/authors", "components/history/playback"],
  [
    "components/history/revision",
    "components/history/timeline-bar",
    "components/history/compare",
    "components/history/versions",
    "components/history/proof",
  ],
  // Above what renders a current or past text: its comments are passed in.
  ["components/comments"],
  ["components/history/redaction"],
  ["components/history/restore"],
  ["components/history/fork", "components/history/analysis"],
  ["components/history/player", "components/history/standalone"],
  ["components/document/unsent"],
  ["components/document"],
  ["components/workspace/changes"],
  [
    "components/workspace/list",
    "components/workspace/invitations",
    "components/workspace/activity",
    "components/workspace/trash",
  ],
  ["components/workspace/members"],
  // Accounts and caught mail belong to no workspace.
  ["components/workspace", "components/account", "components/mail"],
  // Every component in every state, in development only.
  ["components/gallery"],
  ["app"],
  ["tests"],
];

const folders = layers.flat();
/** A file belongs to the deepest folder of the table that contains it. */
const elements = folders
  .toSorted((one, other) => other.split("/").length - one.split("/").length)
  .map((folder) => ({ type: folder, pattern: folder, partialMatch: false }));
const top = (folder) => folder.split("/")[0];
/** The database is reached through events: rendering and rules import no Supabase client. */
const knowsSupabase = (folder) => ["supabase", "events", "app", "tests"].includes(top(folder));
const reachable = (folder, lower) => lower !== "supabase" || knowsSupabase(folder);
const below = (folder) => [
  folder,
  ...layers
    .slice(
      0,
      layers.findIndex((group) => group.includes(folder)),
    )
    .flat(),
];
const tops = [...new Set(folders.map(top))];
/** A test may import from layers above what it tests, but not from a later top-level folder. */
const belowTests = (folder) =>
  folders.filter((lower) => tops.indexOf(top(lower)) <= tops.indexOf(top(folder)));
const imports = (...policies) => ({
  "boundaries/dependencies": [
    "error",
    {
      checkAllOrigins: true,
      default: "disallow",
      policies: [{ allow: { to: { module: { origin: ["external", "core"] } } } }, ...policies],
    },
  ],
});
const noSupabase = { disallow: { to: { module: { origin: "external", source: "@supabase/*" } } } };
/**
 * One rule per folder, each after that of its parent, so that a file is checked against one folder
 * only. Checking every file against all of them took a third of the lint run.
 */
const importsOfFolders = (endings, lowerOf) =>
  elements.toReversed().map(({ type: folder }) => {
    const anyOf = lowerOf(folder).filter((lower) => reachable(folder, lower));
    const allowed = { allow: { to: { element: { types: { anyOf } } } } };
    return {
      files: endings.map((ending) => `${folder}/**/*${ending}`),
      rules: knowsSupabase(folder) ? imports(allowed) : imports(allowed, noSupabase),
    };
  });

export default tseslint.config(
  { ignores: ["node_modules/", ".next*/", ".data/", "next-env.d.ts", "test-results/"] },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { boundaries },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    settings: {
      "boundaries/elements": elements,
      "boundaries/include": tops.map((folder) => `${folder}/**/*`),
      "import/resolver": { typescript: { project: "./tsconfig.json" } },
    },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      // Declaration merging needs interfaces without members of their own.
      "@typescript-eslint/no-empty-object-type": ["error", { allowWithName: "Bodies$" }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "Name what you export: no barrels." },
        {
          // `import { type X }` alone still imports the module: a page once got a whole client
          // because of a type.
          selector: "ImportSpecifier[importKind='type']",
          message: "Import types with `import type { … }`.",
        },
        {
          selector: "PropertyDefinition > PrivateIdentifier, MethodDefinition > PrivateIdentifier",
          message: "Use `private`.",
        },
        {
          selector:
            "TSPropertySignature[key.name='type'] > TSTypeAnnotation > TSLiteralType > " +
            "Literal[value=/^[A-Z_]+$/]",
          message: "Write event types in lower case, with dots between words: `page.hidden`.",
        },
        {
          // expect(performance.now() - began).toBeLessThan(15_000)
          selector:
            "CallExpression[callee.property.name=/^toBeLess/][arguments.0.type='Literal'] " +
            "BinaryExpression[operator='-'] > CallExpression.left[callee.property.name='now']",
          message: "A machine may be slow: compare with what a peer takes in the same run.",
        },
      ],
      // For files outside the folders of the table.
      ...imports(),
    },
  },
  {
    // There is no React elsewhere, and these rules parse each file themselves.
    files: ["{app,components}/**/*.{ts,tsx}", "**/*.tsx"],
    plugins: { "react-hooks": reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  ...importsOfFolders([".ts", ".tsx"], below),
  ...importsOfFolders([".test.ts", ".test.tsx", ".fixture.ts"], belowTests),
  {
    // Not available to a page served over plain HTTP from another machine (an insecure context).
    files: ["{app,components,machines,events}/**/*.{ts,tsx}"],
    ignores: [
      "**/*.test.*",
      "**/*.fixture.ts",
      "events/core/bytes/sha256.ts",
      "components/ui/clipboard/clipboard.ts",
    ],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          property: "randomUUID",
          message: "Take a Random, or systemRandom of events/core/clock.ts.",
        },
        {
          object: "crypto",
          property: "subtle",
          message: "Use digest of events/core/bytes/sha256.ts.",
        },
        {
          object: "navigator",
          property: "clipboard",
          message: "Use copyText of components/ui/clipboard/clipboard.ts.",
        },
      ],
    },
  },
  {
    files: ["machines/**/*.ts", "events/**/*.ts"],
    ignores: ["**/*.test.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [{ name: "react", message: "The core knows no React: put hooks in components/." }],
        },
      ],
    },
  },
  {
    // Parsing a payload may take seconds and would block every other request: use a worker.
    files: ["app/**/route.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "yjs",
                "**/events/crdt/*/*",
                "**/events/history/sequence/*",
                "**/events/history/timeline/*",
                "!**/events/crdt/payload/repeated-words",
                "!**/events/crdt/payload/tombstone-payload",
                "!**/events/crdt/validation/snapshot",
              ],
              message: "Have a task of app/_server/workers do it.",
            },
            {
              group: ["**/events/crdt/payload/repeated-words"],
              allowImportNames: ["mostAlong"],
              message: "Have a task of app/_server/workers do it.",
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      "app/**/*.tsx",
      "components/**/*.tsx",
      "components/**/*.ts",
      "machines/**/*.ts",
      "events/**/*.ts",
    ],
    ignores: ["**/*.test.*", "**/route.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "alert", message: "Use a dialog of components/ui." },
        { name: "confirm", message: "Use a dialog of components/ui." },
      ],
    },
  },
);
