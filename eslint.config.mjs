import boundaries from "eslint-plugin-boundaries";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const layers = ["app", "components", "machines", "events", "supabase", "tests"];
const folder = (type) => ({ type, pattern: type });
const may = (from, ...to) => ({
  from: { element: { type: from } },
  allow: { to: { element: { types: { anyOf: [from, ...to] } } } },
});

export default tseslint.config(
  { ignores: ["node_modules/", ".next*/", ".data/", "next-env.d.ts", "test-results/"] },
  ...tseslint.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    plugins: { boundaries, "react-hooks": reactHooks },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    settings: {
      "boundaries/elements": layers.map(folder),
      "boundaries/include": layers.map((layer) => `${layer}/**/*`),
      "import/resolver": { typescript: { project: "./tsconfig.json" } },
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration", message: "Name what you export: no barrels." },
      ],
      "boundaries/dependencies": [
        "error",
        {
          checkAllOrigins: true,
          default: "disallow",
          policies: [
            { allow: { to: { module: { origin: ["external", "core"] } } } },
            may("supabase"),
            may("events", "supabase"),
            may("machines", "events"),
            may("components", "machines", "events"),
            may("app", "components", "machines", "events", "supabase"),
            may("tests", "app", "components", "machines", "events", "supabase"),
            {
              from: { element: { types: { anyOf: ["machines", "components"] } } },
              disallow: { to: { module: { origin: "external", source: "@supabase/*" } } },
            },
          ],
        },
      ],
    },
  },
  {
    // A page served by plain http to another machine of the network has none of these.
    files: ["{app,components,machines,events}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.*", "**/*.fixture.ts", "events/sha256.ts", "components/clipboard.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { property: "randomUUID", message: "Take a Random, or systemRandom of events/clock.ts." },
        { object: "crypto", property: "subtle", message: "Use digest of events/sha256.ts." },
        {
          object: "navigator",
          property: "clipboard",
          message: "Use copyText of components/clipboard.ts.",
        },
      ],
    },
  },
  {
    // `import { type X }` alone still fetches the module: a whole client once came into a page for the sake of a type.
    // So it is kept out of what a page begins with; the rest is fetched whole, when it is wanted.
    files: [
      "{app,components/{document,editor,frame,presence,proof,session,ui,workspace}}/**/*.{ts,tsx}",
    ],
    rules: { "@typescript-eslint/no-import-type-side-effects": "error" },
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
    // Taking a payload apart may take seconds, and a route's thread answers everybody: it asks a worker.
    files: ["app/**/route.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "yjs",
                ...["payload/*", "yjs/*", "replay/*", "confirmed/*", "redaction"].map(
                  (name) => `**/events/${name}`,
                ),
                "!**/events/payload/repeated-words",
                "!**/events/payload/tombstone-payload",
              ],
              message: "Have a task of app/workers do it.",
            },
            {
              group: ["**/events/payload/repeated-words"],
              allowImportNames: ["mostAlong"],
              message: "Have a task of app/workers do it.",
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
