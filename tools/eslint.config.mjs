// Lint of the second checker: npx eslint -c tools/eslint.config.mjs relaxspca/report/*.js
const names = (...list) => Object.fromEntries(list.map((name) => [name, "readonly"]));
const everywhere = names("TextEncoder", "Blob", "DecompressionStream", "performance", "require", "module", "process");
const pages = names("self", "crypto", "globalThis", "document", "Worker", "URL", "TextDecoder", "CSS", "atob");

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "script", globals: { ...everywhere, ...pages } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      "constructor-super": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "getter-return": "error",
      "max-len": ["error", { code: 150 }],
      "no-cond-assign": "error",
      "no-const-assign": "error",
      "no-constant-condition": ["error", { checkLoops: false }],
      "no-dupe-args": "error",
      "no-dupe-keys": "error",
      "no-empty": "error",
      "no-eval": "error",
      "no-fallthrough": "error",
      "no-implicit-globals": "off",
      "no-redeclare": ["error", { builtinGlobals: false }],
      "no-self-assign": "error",
      "no-shadow": "error",
      "no-undef": "error",
      "no-unreachable": "error",
      "no-unsafe-finally": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      strict: ["error", "global"],
      "valid-typeof": "error",
    },
  },
];
