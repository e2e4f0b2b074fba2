import { build } from 'esbuild'
import { Linter } from 'eslint'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../schema/core/project-folder.ts'
import { schemasAtLoad } from './support/architecture/schemas-at-load.ts'

function problemsOf(code: string) {
  const plugins = { local: { rules: { 'schemas-at-load': schemasAtLoad } } }
  return new Linter().verify(code, { plugins, rules: { 'local/schemas-at-load': 'error' }, linterOptions: { noInlineConfig: true } })
}

/** The code of the service and the command line in one module, where comments and names of functions state the files. */
async function bundleAll(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "import './src/main.ts'; import './src/cli/main.ts'", resolveDir: projectFolder },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
  })
  return outputFiles.map(({ text }) => text).join('')
}

/** The file of a line of the bundle: each file begins with a comment, or with a function if it is imported on demand. */
const fileAt = (code: string, line: number) =>
  code
    .split('\n', line)
    .findLast((text) => /^\/\/ \w|^ {2}"[\w/.-]+"\(\) \{/.test(text))
    ?.match(/[\w/.-]+\.tsx?/)?.[0]

describe('zod schemas', () => {
  test('are built while modules load, not in each request', async () => {
    const code = await bundleAll()
    expect(code.match(/\bz\d*\.object\(/g)?.length).toBeGreaterThan(50)
    expect(problemsOf(code).map(({ line, message }) => `${fileAt(code, line)}: ${message}`)).toEqual([])
  })

  test.each([
    'const rules = z.object({}); export const read = (input) => rules.parse(input)',
    'const list = (items) => z.array(items); export const rules = list(list(z.string()))',
    'const range = (maximum) => (minimum) => z.int().min(minimum).max(maximum); const upTo9 = range(9); export const rules = upTo9(1)',
    'export const rules = z.union(["a", "b"].map((value) => z.literal(value)))',
    'var rules; var init = __esm({ "schema/rules.ts"() { rules = z.object({}) } })',
  ])('may be built by %s', (code) => {
    expect(problemsOf(`import { z } from 'zod'; ${code}`)).toEqual([])
  })

  test.each([
    'field({ resolve: (input) => z.string().parse(input) })',
    'const rules = z.object({}); field({ resolve: (input) => rules.partial().parse(input) })',
    'const list = (items) => z.array(items); const lists = () => list(list(z)); field({ resolve: () => lists().parse() })',
    'const range = (maximum) => (minimum) => z.int().min(minimum).max(maximum); const upTo9 = range(9); field({ resolve: () => upTo9(1) })',
    'const range = (maximum) => () => z.int().max(maximum); field({ resolve: range(9) })',
    'const list = (items) => z.array(items); field({ list })',
    'class Reader { read(input) { return z.string().parse(input) } }',
  ])('may not be built by %s', (code) => {
    expect(problemsOf(`import { z } from 'zod'; ${code}`)).not.toEqual([])
  })
})
