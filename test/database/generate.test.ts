import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const project = path.join(import.meta.dirname, '..', '..')
let copy: string

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'team-account-generate-'))
  mkdirSync(path.join(copy, 'prisma'))
  for (const name of ['package.json', 'prisma/schema.prisma', 'prisma/prisma.config.ts', 'prisma/generate.ts']) {
    cpSync(path.join(project, name), path.join(copy, name))
  }
  symlinkSync(path.join(project, 'node_modules'), path.join(copy, 'node_modules'))
})

afterEach(() => {
  rmSync(copy, { recursive: true, force: true })
})

/** The exit status of `npm run generate`; no proxy setting can help it to a network. */
async function generate(): Promise<number> {
  const env = { PATH: process.env.PATH, HTTPS_PROXY: 'http://127.0.0.1:1', HTTP_PROXY: 'http://127.0.0.1:1' }
  const child = spawn(process.execPath, [path.join(copy, 'prisma', 'generate.ts')], { env, stdio: 'inherit' })
  const [status] = (await once(child, 'close')) as [number]
  return status
}

const inGenerated = (name: string) => path.join(copy, 'prisma', 'generated', name)

describe('given a checkout without generated files', () => {
  test('three at once make them whole, leave nothing else, and a further one changes nothing', async () => {
    expect(await Promise.all([generate(), generate(), generate()])).toEqual([0, 0, 0])
    const made = readdirSync(inGenerated('.')).toSorted()
    expect(made).toEqual(['.made-from', 'client', 'pothos.ts'])
    expect(readdirSync(path.join(copy, 'prisma')).toSorted()).toEqual(['generate.ts', 'generated', 'prisma.config.ts', 'schema.prisma'])
    const { mtimeMs } = statSync(inGenerated('.made-from'))
    expect(await generate()).toBe(0)
    expect(statSync(inGenerated('.made-from')).mtimeMs).toBe(mtimeMs)
  })

  test('a changed schema is generated anew', async () => {
    await generate()
    const schema = path.join(copy, 'prisma', 'schema.prisma')
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('model Team {', 'model Team {\n  motto String?'))
    expect(await generate()).toBe(0)
    expect(readFileSync(inGenerated('client/models/Team.ts'), 'utf8')).toContain('motto')
  })
})
