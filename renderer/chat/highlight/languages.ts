import type { LanguageFn } from 'highlight.js';

/** The grammar of a language, loaded when it is first needed. */
export interface Language {
  load(): Promise<{ default: LanguageFn }>;
  /** Other names that people and models write behind a fence. */
  names?: string;
  /** Languages that occur within it. */
  within?: string[];
}

/** Every language that gets colours, by the highlighter's own name. */
export const languages: Record<string, Language> = {
  bash: { load: () => import('highlight.js/lib/languages/bash'), names: 'sh zsh' },
  c: { load: () => import('highlight.js/lib/languages/c'), names: 'h' },
  clojure: { load: () => import('highlight.js/lib/languages/clojure'), names: 'clj edn' },
  cmake: { load: () => import('highlight.js/lib/languages/cmake') },
  cpp: { load: () => import('highlight.js/lib/languages/cpp'), names: 'c++ cc cxx hpp' },
  csharp: { load: () => import('highlight.js/lib/languages/csharp'), names: 'cs c#' },
  css: { load: () => import('highlight.js/lib/languages/css') },
  dart: { load: () => import('highlight.js/lib/languages/dart') },
  diff: { load: () => import('highlight.js/lib/languages/diff'), names: 'patch' },
  dockerfile: {
    load: () => import('highlight.js/lib/languages/dockerfile'),
    names: 'docker',
    within: ['bash'],
  },
  dos: { load: () => import('highlight.js/lib/languages/dos'), names: 'bat cmd' },
  elixir: { load: () => import('highlight.js/lib/languages/elixir'), names: 'ex exs' },
  erlang: { load: () => import('highlight.js/lib/languages/erlang'), names: 'erl' },
  fortran: { load: () => import('highlight.js/lib/languages/fortran'), names: 'f90 f95' },
  fsharp: { load: () => import('highlight.js/lib/languages/fsharp'), names: 'fs f#' },
  go: { load: () => import('highlight.js/lib/languages/go'), names: 'golang' },
  graphql: { load: () => import('highlight.js/lib/languages/graphql'), names: 'gql' },
  groovy: { load: () => import('highlight.js/lib/languages/groovy'), names: 'gradle' },
  haskell: { load: () => import('highlight.js/lib/languages/haskell'), names: 'hs' },
  http: { load: () => import('highlight.js/lib/languages/http'), within: ['json', 'xml'] },
  ini: { load: () => import('highlight.js/lib/languages/ini'), names: 'toml' },
  java: { load: () => import('highlight.js/lib/languages/java') },
  javascript: {
    load: () => import('highlight.js/lib/languages/javascript'),
    names: 'js jsx mjs cjs',
    within: ['xml', 'css', 'graphql'],
  },
  json: { load: () => import('highlight.js/lib/languages/json'), names: 'jsonc json5 jsonl' },
  julia: { load: () => import('highlight.js/lib/languages/julia'), names: 'jl' },
  kotlin: { load: () => import('highlight.js/lib/languages/kotlin'), names: 'kt kts' },
  latex: { load: () => import('highlight.js/lib/languages/latex'), names: 'tex' },
  less: { load: () => import('highlight.js/lib/languages/less') },
  lisp: { load: () => import('highlight.js/lib/languages/lisp') },
  lua: { load: () => import('highlight.js/lib/languages/lua') },
  makefile: { load: () => import('highlight.js/lib/languages/makefile'), names: 'make mk' },
  markdown: { load: () => import('highlight.js/lib/languages/markdown'), names: 'md', within: ['xml'] },
  matlab: { load: () => import('highlight.js/lib/languages/matlab') },
  nginx: { load: () => import('highlight.js/lib/languages/nginx') },
  nix: { load: () => import('highlight.js/lib/languages/nix') },
  objectivec: { load: () => import('highlight.js/lib/languages/objectivec'), names: 'objc obj-c' },
  ocaml: { load: () => import('highlight.js/lib/languages/ocaml'), names: 'ml' },
  perl: { load: () => import('highlight.js/lib/languages/perl'), names: 'pl' },
  php: { load: () => import('highlight.js/lib/languages/php') },
  powershell: { load: () => import('highlight.js/lib/languages/powershell'), names: 'ps1 ps pwsh' },
  properties: { load: () => import('highlight.js/lib/languages/properties') },
  protobuf: { load: () => import('highlight.js/lib/languages/protobuf'), names: 'proto' },
  python: { load: () => import('highlight.js/lib/languages/python'), names: 'py' },
  r: { load: () => import('highlight.js/lib/languages/r') },
  ruby: { load: () => import('highlight.js/lib/languages/ruby'), names: 'rb' },
  rust: { load: () => import('highlight.js/lib/languages/rust'), names: 'rs' },
  scala: { load: () => import('highlight.js/lib/languages/scala') },
  scheme: { load: () => import('highlight.js/lib/languages/scheme') },
  scss: { load: () => import('highlight.js/lib/languages/scss') },
  shell: { load: () => import('highlight.js/lib/languages/shell'), names: 'console', within: ['bash'] },
  sql: { load: () => import('highlight.js/lib/languages/sql'), names: 'mysql postgres postgresql sqlite' },
  swift: { load: () => import('highlight.js/lib/languages/swift') },
  typescript: {
    load: () => import('highlight.js/lib/languages/typescript'),
    names: 'ts tsx mts cts',
    within: ['xml', 'css', 'graphql'],
  },
  vbnet: { load: () => import('highlight.js/lib/languages/vbnet'), names: 'vb' },
  vim: { load: () => import('highlight.js/lib/languages/vim') },
  wasm: { load: () => import('highlight.js/lib/languages/wasm'), names: 'wat' },
  x86asm: { load: () => import('highlight.js/lib/languages/x86asm'), names: 'asm nasm' },
  xml: {
    load: () => import('highlight.js/lib/languages/xml'),
    names: 'html xhtml svg vue svelte',
    within: ['css', 'javascript'],
  },
  yaml: { load: () => import('highlight.js/lib/languages/yaml'), names: 'yml' },
};

/** The highlighter's own name of what stands behind a fence; undefined for what gets no colours. */
export function languageOf(written: string): string | undefined {
  const name = written.toLowerCase();
  if (Object.hasOwn(languages, name)) return name;
  return Object.keys(languages).find(own => languages[own]?.names?.split(' ').includes(name));
}
