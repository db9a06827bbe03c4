// The rules for all JavaScript of the project; `.ci/eslint` checks it from the project's root.

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";

const BROWSER = ["src/dovetail/ui/static/**/*.js", "viewer/src/**/*.js"];
const SCRIPTS = ["src/dovetail/reports/**/*.js"];

export default defineConfig([
  { ignores: ["src/dovetail/reports/viewer/bundle.js"] },
  {
    files: [...BROWSER, ...SCRIPTS, "viewer/*.mjs"],
    extends: [js.configs.recommended],
    rules: { "no-unused-vars": "error", eqeqeq: "error", "prefer-const": "error" },
  },
  { files: [...BROWSER, ...SCRIPTS], languageOptions: { globals: globals.browser } },
  { files: SCRIPTS, languageOptions: { sourceType: "script" } },
  { files: ["viewer/*.mjs"], languageOptions: { globals: globals.node } },
]);
