import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import { readdirSync } from "node:fs";
import tseslint from "typescript-eslint";

const features = readdirSync(new URL("./src/features", import.meta.url));

/** A feature may use what is shared, never another feature. */
const featureBoundaries = features.map((feature) => ({
  files: [`src/features/${feature}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: [
              "@/app/*",
              ...features.filter((other) => other !== feature).map((other) => `@/features/${other}/*`),
            ],
            message: "A feature imports only shared code; move what two features need out of both.",
          },
          { group: ["../*"], message: "Name the folder: import from @/..." },
        ],
      },
    ],
  },
}));

const sharedBoundary = {
  files: ["api", "components", "i18n", "lists", "time", "transcript"].map((folder) => `src/${folder}/**`),
  rules: {
    "no-restricted-imports": [
      "error",
      { patterns: [{ group: ["@/features/*", "@/app/*"], message: "Shared code does not know who uses it." }] },
    ],
  },
};

export default tseslint.config(
  { ignores: ["node_modules", "src/api/schema.d.ts"] },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  reactHooks.configs.flat["recommended-latest"],
  jsxA11y.flatConfigs.strict,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowNullish: false }],
    },
  },
  // This file is JavaScript: the plugins it imports carry no types.
  { files: ["eslint.config.js"], extends: [tseslint.configs.disableTypeChecked] },
  ...featureBoundaries,
  sharedBoundary,
);
