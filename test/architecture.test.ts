import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// The house of README: what may import what, and that nothing goes in circles. The linter says the same while one
// types; this reads the imports themselves, so that no setting can switch it off.

const root = path.resolve(import.meta.dirname, '..')
const mayImport: Record<string, readonly string[]> = {
  prisma: [],
  schema: ['prisma'],
  'rest-facade': ['schema'],
  src: ['rest-facade', 'schema', 'prisma'],
  test: ['src', 'rest-facade', 'schema', 'prisma'],
}

const files = Object.keys(mayImport).flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    // What `npm run generate` makes.
    .filter((file) => !file.split(path.sep).includes('generated')),
)

interface Import {
  from: string
  to: string
  /** Erased before anything runs. */
  isType: boolean
}

const statements = /^\s*(import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm
const imports: Import[] = files.flatMap((file) =>
  Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(statements), ([, , type, target, dynamic]) => ({
    from: file,
    to: path.relative(root, path.resolve(root, path.dirname(file), target ?? dynamic ?? '')),
    isType: type !== undefined,
  })),
)

const folderOf = (file: string) => file.split(path.sep)[0] ?? ''

describe('the house', () => {
  test('is read whole', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(imports.length).toBeGreaterThan(200)
  })

  test('imports only downwards', () => {
    const upwards = imports.filter(({ from, to }) => folderOf(from) !== folderOf(to) && !mayImport[folderOf(from)]?.includes(folderOf(to)))
    expect(upwards).toEqual([])
  })

  test('has no import cycle', () => {
    const targets = Map.groupBy(
      imports.filter(({ isType }) => !isType),
      ({ from }) => from,
    )
    const done = new Set<string>()
    const cycleFrom = (file: string, trail: readonly string[]): readonly string[] | null => {
      if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
      if (done.has(file)) return null
      for (const { to } of targets.get(file) ?? []) {
        const cycle = cycleFrom(to, [...trail, file])
        if (cycle) return cycle
      }
      done.add(file)
      return null
    }
    for (const file of files) expect(cycleFrom(file, [])).toBeNull()
  })

  test('re-exports nothing', () => {
    const barrels = files.filter((file) => /^export (?:type )?(?:\*|\{[^}]*\}) from /m.test(readFileSync(path.join(root, file), 'utf8')))
    expect(barrels).toEqual([])
  })

  test('has no file over 200 lines', () => {
    const long = files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 201)
    expect(long).toEqual([])
  })

  // prisma/generate.ts is a tool that hands its own environment to Prisma's.
  test('reads settings in one place', () => {
    const readers = files.filter(
      (file) => folderOf(file) !== 'test' && /process\.env\b|\benv\(/.test(readFileSync(path.join(root, file), 'utf8')),
    )
    expect(readers.toSorted()).toEqual(['prisma/generate.ts', 'src/config.ts'])
  })
})
