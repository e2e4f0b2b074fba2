import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { exitStatusOf } from '../support/processes/exit-status.ts'
import { isFull, repetitions } from '../support/service/full.ts'

// One copy of the sources for all tests, which build on each other's output in the order in which they appear.
let copy: string

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'team-account-build-'))
  for (const name of ['package.json', 'package-lock.json', 'build', 'prisma', 'schema', 'rest-facade', 'src']) {
    cpSync(path.join(projectFolder, name), path.join(copy, name), { recursive: true, filter: (file) => !file.includes('generated') })
  }
  symlinkSync(path.join(projectFolder, 'node_modules'), path.join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Runs the build of the copy. The proxy settings keep it from using a network. */
async function build(options: string[] = [], started: (child: ChildProcessWithoutNullStreams) => void = () => {}) {
  const env = childEnvironment({ HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' })
  const child = spawn(process.execPath, [...options, path.join(copy, 'build', 'main.ts')], { env })
  child.stderr.once('data', () => started(child))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exitStatusOf(child)])
  return { status, stdout, stderr }
}

/** Starts a build that waits after it has found what to build, until `finish` is called. */
async function startBuild() {
  const wait = `import { readSync } from 'node:fs'
    const { error } = console
    console.error = (line) => { error(line); readSync(0, Buffer.alloc(1)) }`
  const { promise: started, resolve } = Promise.withResolvers<ChildProcessWithoutNullStreams>()
  const result = build(['--import', `data:text/javascript,${encodeURIComponent(wait)}`], resolve)
  const { stdin } = await started
  return { finish: () => (stdin.end(), result) }
}

const read = (name: string) => readFileSync(path.join(copy, name), 'utf8')
const building = (...outputs: string[]) => ({
  status: 0,
  stdout: '',
  stderr: `Building ${outputs.join(', ')}: missing or older than the sources.\n`,
})

/** Every file of the copy with the time of its last change. */
function modificationTimes(): [string, number][] {
  const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('node_modules'))
  return files.map((file) => [file, statSync(path.join(copy, file)).mtimeMs])
}

const generated = ['prisma/generated', 'src/account-site/generated', 'src/cli/generated', 'src/graphql/generated']
const outputs = [...generated, 'dist/api-reference', 'dist/graphiql', 'dist']
const removeOutputs = () => outputs.forEach((output) => rmSync(path.join(copy, output), { recursive: true, force: true }))

describe('npm run build', () => {
  test('builds everything in a new checkout, also when several processes do so at once', { timeout: 300_000 }, async () => {
    // There are some if this test runs again.
    removeOutputs()
    const builds = await Promise.all(Array.from({ length: repetitions({ short: 2, full: 3 }) }, startBuild))
    expect(await Promise.all(builds.map(({ finish }) => finish()))).toEqual(builds.map(() => building(...outputs)))
    expect(readdirSync(path.join(copy, 'prisma/generated')).toSorted()).toEqual(['.made-from', 'client', 'pothos.ts'])
    expect(readdirSync(path.join(copy, 'src/account-site/generated')).toSorted()).toEqual(['.made-from', 'operations.ts'])
    expect(readdirSync(path.join(copy, 'src/graphql/generated')).toSorted()).toEqual(['.made-from', 'dashboards.ts', 'texts.ts'])
    expect(readdirSync(path.join(copy, 'dist'))).toEqual(expect.arrayContaining(['.made-from', 'cli.js', 'main.js']))
    const temporary = modificationTimes().filter(([file]) => /\.generating-|\.\d+$/.test(file))
    expect(temporary).toEqual([])
  })

  // A service may have been started from these files, and keeps its compiled code there.
  test.runIf(isFull)('leaves every output alone that another process has built first', { timeout: 300_000 }, async () => {
    removeOutputs()
    const late = await startBuild()
    expect(await build()).toEqual(building(...outputs))
    mkdirSync(path.join(copy, 'dist', 'compile-cache'))
    const built = () => modificationTimes().filter(([file]) => /^(dist|.*\bgenerated)\//.test(file))
    const before = built()
    expect(await late.finish()).toEqual(building(...outputs))
    expect(built()).toEqual(before)
  })

  test('bundles to ASCII text, since V8 stores a script with other characters in twice the memory', () => {
    const scripts = readdirSync(path.join(copy, 'dist')).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(2)
    expect(scripts.filter((name) => /[^\0-\x7f]/.test(read(path.join('dist', name))))).toEqual([])
  })

  test('prints nothing and changes no file when everything is current', async () => {
    const before = modificationTimes()
    expect(await build()).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(modificationTimes()).toEqual(before)
  })

  test('a first start keeps the compiled code for later ones, and the next build removes it', async () => {
    const start = () => {
      const env = childEnvironment({ NODE_COMPILE_CACHE: '', DATA_DIR: path.join(copy, 'data'), PORT: 'none' })
      return exitStatusOf(spawn(process.execPath, [path.join(copy, 'dist', 'main.js')], { env }))
    }
    const kept = () => modificationTimes().filter(([file]) => file.startsWith(path.join('dist', 'compile-cache')))
    expect(await start()).toBe(1)
    const compiled = kept()
    expect(compiled.length).toBeGreaterThan(2)
    expect(await start()).toBe(1)
    expect(kept()).toEqual(compiled)
    rmSync(path.join(copy, 'dist', '.made-from'))
    expect(await build()).toEqual(building('dist'))
    expect(kept()).toEqual([])
  })

  test.runIf(isFull)('rebuilds the bundle alone after a source file changed, and removes its old parts', async () => {
    const files = () => readdirSync(path.join(copy, 'dist')).toSorted()
    const before = files()
    const source = path.join(copy, 'src', 'cli', 'main.ts')
    const original = readFileSync(source)
    writeFileSync(source, `${original.toString()}\nconsole.error('changed')\n`)
    expect(await build()).toEqual(building('dist'))
    expect(read('dist/cli.js')).toMatch(/console\.error\(\s*"changed"\)/)
    writeFileSync(source, original)
    expect(await build()).toEqual(building('dist'))
    expect(files()).toEqual(before)
  })

  test('names the route whose document does not match the GraphQL schema, and keeps the old bundle', async () => {
    const routes = path.join(copy, 'rest-facade', 'routes', 'teams.ts')
    const original = readFileSync(routes, 'utf8')
    writeFileSync(routes, original.replace('query { teams {', 'query { teamz {'))
    const { status, stderr } = await build()
    expect([status, stderr.split('\n')[1]]).toEqual([
      1,
      expect.stringMatching(/^v1\.teams\.index: Cannot query field "teamz" on type "Query"\./),
    ])
    writeFileSync(routes, original)
    expect(await build()).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test.runIf(isFull)('generates the client and the bundle again after schema.prisma changed', async () => {
    const schema = path.join(copy, 'prisma', 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('model Team {', 'model Team {\n  motto String?'))
    expect(await build()).toEqual(building('prisma/generated', 'dist'))
    expect(read('prisma/generated/client/models/Team.ts')).toContain('motto')
  })

  test.runIf(isFull)('generates the client before it names the command for a stale schema.graphql', async () => {
    const schema = path.join(copy, 'prisma', 'schema.prisma')
    const page = path.join(copy, 'src', 'account-site', 'access', 'access.graphql')
    const original = readFileSync(page, 'utf8')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('model Team {', 'model Team {\n  slogan String?'))
    writeFileSync(page, original.replace('team(slug: $team) {', 'team(slug: $team) {\n    slogan'))
    const { status, stderr } = await build()
    expect(status).toBe(1)
    expect(stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^src\/account-site\/generated\/operations\.ts: GraphQL Document Validation failed/),
      expect.stringContaining('Cannot query field "slogan" on type "Team".'),
      'If schema/ declares it, schema/schema.graphql is stale: run npm run schema.',
      '',
    ])
    expect(read('prisma/generated/client/models/Team.ts')).toContain('slogan')
    writeFileSync(page, original)
  })

  test('names the error of schema.prisma, keeps the old client and leaves no temporary folder', async () => {
    const schema = path.join(copy, 'prisma', 'schema.prisma')
    const original = readFileSync(schema, 'utf8')
    writeFileSync(schema, original.replace('model Team {', 'model Team {\n  motif Strin?'))
    const before = readdirSync(path.join(copy, 'prisma'))
    const { status, stderr } = await build()
    expect(status).toBe(1)
    expect(stderr).toMatch(/error: Type "Strin" is neither a built-in type.*\n *--> +prisma\/schema\.prisma:\d+\n/)
    expect(stderr).not.toMatch(/\n +at /)
    expect(readdirSync(path.join(copy, 'prisma'))).toEqual(before)
    writeFileSync(schema, original)
  })

  test('fails with one line that says what to do when the build tools are not installed', async () => {
    rmSync(path.join(copy, 'dist'), { recursive: true })
    unlinkSync(path.join(copy, 'node_modules'))
    const { status, stderr } = await build()
    expect(status).toBe(1)
    expect(stderr.split('\n').slice(1)).toEqual([expect.stringMatching(/^The build tools are not installed: run npm ci\. \(.+\)$/), ''])
  })
})
