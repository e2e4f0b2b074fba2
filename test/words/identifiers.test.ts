import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

// Names in product code say what a value is and what a function does. These words say how a value was obtained, or use another word than
// the standards and the documentation.

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('{build,prisma,rest-facade,schema,src}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('generated'))

const words = new Map(
  Object.entries({
    answer: 'response or result',
    answered: 'the object, or a verb',
    canonical: 'normalize…, or a noun',
    chosen: 'selected, or the object',
    comparable: 'toComparable…',
    derived: 'derive…, or the value',
    found: 'the object',
    given: 'input, or the value',
    known: 'the object',
    listed: 'toListItem, or the values',
    patched: 'applyPatch',
    present: 'current',
    stated: 'the values',
    storable: 'requireStorable or clean…',
    told: 'notified',
    wanted: 'requested or selected',
  }),
)

/** Names of the API and of columns. */
const publicNames = new Set([
  'schema/identity-providers/last-test.ts: answer',
  'schema/identity-providers/sign-in/pending-link.ts: answeredAt',
  'schema/identity-providers/sign-in/requests.ts: answer',
  'schema/viewer/permission-checks.ts: present',
])

type Node = Record<string, unknown> & { type: string }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The members of a declaration that contain the names that it declares. */
const declaringMembers = new Map(
  Object.entries({
    ArrowFunctionExpression: 'params',
    ClassDeclaration: 'id',
    FunctionDeclaration: 'id params',
    FunctionExpression: 'params',
    MethodDefinition: 'key',
    PropertyDefinition: 'key',
    TSInterfaceDeclaration: 'id',
    TSMethodSignature: 'key',
    TSPropertySignature: 'key',
    TSTypeAliasDeclaration: 'id',
    TSTypeParameter: 'name',
    VariableDeclarator: 'id',
  }),
)

/** Returns the names in a pattern. A shorthand such as `{ name }` is not among them: it has the name of a property. */
function listNames(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(listNames)
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [String(pattern['name'])]
  if (pattern.type === 'Property') return pattern['shorthand'] === true ? [] : listNames(pattern['value'])
  return ['elements', 'properties', 'left', 'argument', 'parameter'].flatMap((member) => listNames(pattern[member]))
}

function listDeclarations(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(listDeclarations)
  if (!isNode(node)) return []
  const declared = (declaringMembers.get(node.type) ?? '').split(' ').flatMap((member) => listNames(node[member]))
  return [...declared, ...Object.values(node).flatMap(listDeclarations)]
}

const declarations = files.flatMap((file) => {
  const names = listDeclarations(parseAst(readFileSync(path.join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file))
  return Array.from(new Set(names), (name) => ({ name, place: `${file}: ${name}` }))
})

/** A type such as `RecordOf<Name>` computes another type, as `ReturnType` does. Functions and values begin with a verb or are nouns. */
test('no function and no value of product code has a name that ends with the preposition “of”', () => {
  expect(declarations.length).toBeGreaterThan(15_000)
  expect(declarations.flatMap(({ name, place }) => (/^[a-z]\w*Of$/.test(name) ? [place] : []))).toEqual([])
})

test('no identifier of product code is a word that says how the value was obtained', () => {
  const firstWord = /^(?:[Ff]ound|[Gg]iven|[Kk]nown|[Tt]old|[Tt]ell|[Aa]nswered)(?=[A-Z])(?!Names?$)/
  const wrong = declarations.flatMap(({ name, place }) => {
    const better = words.get(name.toLowerCase()) ?? (firstWord.test(name) ? 'a name without the first word' : null)
    return better === null || publicNames.has(place) ? [] : [`${place} → ${better}`]
  })
  expect(wrong).toEqual([])
})
