import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// The rule of docs/architecture.md#data-access.

const root = path.join(import.meta.dirname, '..')
const sources = globSync('{prisma,schema,rest-facade,src}/**/*.{ts,tsx}', { cwd: root, exclude: ['**/generated/**'] }).map((file) => ({
  file,
  text: readFileSync(path.join(root, file), 'utf8'),
}))

const calls = sources.flatMap(({ file, text }) =>
  Array.from(text.matchAll(/\bprisma\.(\w+|\$\w+)\.?(\w+)?/g), ([, model = '', method = '']) => ({ file, model, method })),
)
/** Reads of one object, or of several by their identifiers. */
const reads = new Set(['findUnique', 'findUniqueOrThrow', 'findFirst', 'findMany'])

describe('Prisma’s query builder', () => {
  test('is found in the sources', () => {
    expect(sources.length).toBeGreaterThan(600)
    expect(calls.length).toBeGreaterThan(20)
  })

  test('only reads: all changes are SQL', () => {
    expect(calls.filter(({ model, method }) => model !== '$disconnect' && !reads.has(method))).toEqual([])
  })

  test('reads several objects only by their identifiers, for `node` and for links: lists are SQL', () => {
    const several = calls.filter(({ method }) => method === 'findMany').map(({ file }) => path.dirname(file))
    expect([...new Set(several)].toSorted()).toEqual(['schema/links', 'schema/nodes', 'schema/staff'])
  })

  test('is not part of a transaction', () => {
    const declaration = sources.find(({ file }) => file === 'prisma/statement/transaction.ts')?.text
    expect(declaration).toContain('export interface Transaction')
    expect(declaration).not.toMatch(/prisma[:.]|PrismaClient/)
    expect(sources.filter(({ text }) => text.includes('$transaction')).map(({ file }) => file)).toEqual([])
  })
})

test('no code of the product is generated at run time, except by graphql-jit', () => {
  expect(sources.filter(({ text }) => /new Function|\beval\(/.test(text)).map(({ file }) => file)).toEqual([])
})
