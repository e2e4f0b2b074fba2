import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// The rules of docs/architecture.md#import-rules. The test reads the import statements themselves, type-only imports
// included, so that no linter setting can switch the rules off.

// The folders that each folder can import, apart from itself: only folders above it in this table. Files directly in `schema/` and `src/`
// connect the folders of their layer, so they can import all of those folders.
const allowedImports: Record<string, string> = {
  'prisma/connection': 'prisma/generated',
  'prisma/statement': 'prisma/generated prisma/connection',
  'schema/core': 'prisma',
  'schema/builder': 'prisma schema/core',
  'schema/lists': 'prisma schema/core schema/builder',
  'schema/pictures': 'prisma schema/core',
  'schema/flow': 'schema/builder',
  'schema/teams': 'prisma schema/core schema/builder schema/lists schema/pictures',
  'schema/audit': 'prisma schema/core schema/builder schema/lists schema/teams',
  'schema/apps': 'prisma schema/core schema/builder schema/lists schema/teams',
  'schema/domains': 'prisma schema/core schema/builder schema/lists schema/teams',
  'schema/members': 'prisma schema/core schema/builder schema/lists schema/pictures schema/teams schema/apps',
  'schema/invoices': 'prisma schema/core schema/builder schema/lists schema/teams schema/apps',
  'schema/viewer': 'schema/core schema/builder schema/teams schema/members',
  'schema/accounts': 'prisma schema/core schema/builder schema/lists schema/pictures schema/teams schema/members schema/viewer',
  'schema/security': 'prisma schema/core schema/builder schema/lists schema/viewer schema/accounts',
  'schema/tokens': 'prisma schema/core schema/builder schema/lists schema/teams schema/viewer schema/accounts',
  'schema/invitations':
    'prisma schema/core schema/builder schema/lists schema/pictures schema/teams schema/apps schema/members schema/viewer',
  'schema/oauth': 'prisma schema/core schema/builder schema/lists schema/teams schema/viewer schema/tokens',
  'schema/events':
    'prisma schema/core schema/builder schema/lists schema/teams schema/audit schema/apps schema/members schema/invoices schema/tokens schema/invitations',
  'schema/webhooks': 'prisma schema/core schema/builder schema/lists schema/teams schema/tokens schema/events',
  'schema/agents': 'prisma schema/core schema/builder schema/teams schema/tokens schema/oauth',
  'schema/workload-identities': 'prisma schema/core schema/builder schema/lists schema/teams schema/tokens schema/oauth',
  'schema/identity-providers':
    'prisma schema/core schema/builder schema/lists schema/teams schema/domains schema/members schema/viewer schema/accounts schema/security schema/oauth schema/workload-identities',
  'schema/staff':
    'prisma schema/core schema/builder schema/lists schema/teams schema/audit schema/members schema/accounts schema/security schema/tokens schema/oauth schema/webhooks schema/identity-providers',
  'schema/nodes':
    'schema/core schema/builder schema/lists schema/teams schema/audit schema/apps schema/domains schema/members schema/invoices schema/viewer schema/accounts schema/security schema/tokens schema/invitations schema/oauth schema/webhooks schema/workload-identities schema/identity-providers',
  'schema/links':
    'prisma schema/core schema/builder schema/lists schema/teams schema/audit schema/apps schema/domains schema/members schema/invoices schema/viewer schema/accounts schema/tokens schema/invitations schema/oauth schema/webhooks schema/workload-identities schema/identity-providers',
  'schema/scim': 'prisma schema/core schema/teams schema/domains schema/members schema/accounts schema/invitations',
  'schema/directory': 'prisma schema/core schema/builder schema/lists schema/teams schema/members schema/accounts',
  'rest-facade/http': 'schema',
  'rest-facade': 'schema rest-facade/http',
  'rest-facade/routes': 'schema rest-facade',
  'rest-facade/openapi': 'schema rest-facade/http rest-facade rest-facade/routes',
  'src/config': 'schema',
  'src/tracing': 'schema src/config',
  'src/outgoing': 'schema src/config',
  'src/http': 'prisma schema rest-facade src/config',
  'src/web': 'schema src/http',
  'src/api-reference': 'schema rest-facade src/web',
  'src/auth': 'prisma schema rest-facade src/http',
  'src/graphql': 'schema rest-facade src/web',
  'src/scim': 'schema rest-facade src/http',
  'src/mcp': 'schema rest-facade src/http src/config',
  'src/database': 'prisma schema src/config',
  'src/jobs': 'prisma schema',
  'src/webhooks': 'prisma schema',
  'src/mail': 'prisma schema src/config src/http src/web src/jobs',
  'src/oidc': 'prisma schema rest-facade src/config src/http src/web src/auth',
  'src/account-site': 'schema rest-facade src/http src/web src/auth src/mail',
  'src/data-transfer': 'prisma schema src/config src/database',
  'src/backup': 'prisma src/config src/database src/jobs',
  'src/demo': 'schema src/config src/database src/data-transfer',
  'src/processes': 'schema src/config src/database src/demo',
  'src/cli':
    'prisma schema rest-facade src/config src/outgoing src/http src/database src/jobs src/mail src/data-transfer src/backup src/processes',
  'src/metrics': 'prisma schema src/config src/http src/jobs',
  'src/service':
    'prisma schema src src/config src/tracing src/outgoing src/http src/database src/jobs src/webhooks src/mail src/oidc src/demo src/processes src/metrics',
}

const layers = ['prisma', 'schema', 'rest-facade', 'src', 'build', 'test']
const root = path.resolve(import.meta.dirname, '..')
const files = layers.flatMap((layer) =>
  readdirSync(path.join(root, layer), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    // `npm run build` generates these, and `npm ci` installs those.
    .filter((file) => !file.split(path.sep).some((part) => part === 'generated' || part === 'node_modules')),
)
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Import {
  from: string
  to: string
}

const statements = /^\s*(?:import|export)\s+(?:type\s+)?(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm
const imports: Import[] = files.flatMap((file) =>
  Array.from(textOf(file).matchAll(statements), ([, target, dynamic]) => ({
    from: file,
    to: path.relative(root, path.resolve(root, path.dirname(file), target ?? dynamic ?? '')),
  })),
)

const layerOf = (file: string) => file.split(path.sep)[0] ?? ''
/** `schema/teams` for a file in or below it, `schema` for a file directly in `schema/`; the layer alone for build and test. */
const folderOf = (file: string) => {
  const [layer = '', folder = '', below] = file.split(path.sep)
  return below === undefined || !['prisma', 'schema', 'rest-facade', 'src'].includes(layer) ? layer : `${layer}/${folder}`
}
const rules = new Map(Object.entries(allowedImports).map(([folder, allowed]) => [folder, allowed.split(' ')]))
/** A rule that names a layer allows its folders too, seen from another layer. */
const isAllowed = ({ from, to }: Import) => {
  const [folder, target] = [folderOf(from), folderOf(to)]
  if (folder === target || ['schema', 'src', 'test', 'build'].includes(folder)) return true
  const allowed = rules.get(folder) ?? []
  return allowed.includes(target) || (layerOf(from) !== layerOf(to) && allowed.includes(layerOf(to)))
}

describe('the source tree', () => {
  test('is read by this test completely', () => {
    expect(files.length).toBeGreaterThan(600)
    expect(imports.length).toBeGreaterThan(3000)
  })

  test('imports only from lower layers', () => {
    const upwards = imports.filter(({ from, to }) => layers.indexOf(layerOf(from)) < layers.indexOf(layerOf(to)))
    expect(upwards).toEqual([])
  })

  test('imports only the folders that the table of allowed imports lists', () => {
    expect(imports.filter((each) => !isAllowed(each))).toEqual([])
  })

  test('has a table of allowed imports without superfluous entries', () => {
    const used = new Set(imports.flatMap(({ from, to }) => [`${folderOf(from)} ${folderOf(to)}`, `${folderOf(from)} ${layerOf(to)}`]))
    const listed = Array.from(rules, ([folder, allowed]) => allowed.map((target) => `${folder} ${target}`)).flat()
    expect(listed.filter((each) => !used.has(each))).toEqual([])
  })

  test('has no import cycle, type-only imports included', () => {
    const targets = Map.groupBy(imports, ({ from }) => from)
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

  test('contains no module that re-exports another', () => {
    expect(files.filter((file) => /^export (?:type )?(?:\*|\{[^}]*\}) from /m.test(textOf(file)))).toEqual([])
  })

  test('exports each name from one file of a layer only', () => {
    const declarations = /^export (?:default )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm
    const exports = files
      .filter((file) => layerOf(file) !== 'test')
      .flatMap((file) =>
        Array.from(new Set(Array.from(textOf(file).matchAll(declarations), ([, name]) => name)), (name) => ({
          name: `${layerOf(file).replace('rest-facade', 'src')}: ${name}`,
          file,
        })),
      )
    expect(exports.length).toBeGreaterThan(2000)
    const duplicates = Array.from(Map.groupBy(exports, ({ name }) => name)).filter(([, { length }]) => length > 1)
    expect(duplicates).toEqual([])
  })

  // `index.ts` lists the commands or the checks of a folder, and `main.ts` is the entry point of a program.
  test('has one file of each name in a layer, apart from the names of the parts of an area', () => {
    const repeated = new Set(['queries.ts', 'mutations.ts', 'rules.ts', 'index.ts', 'main.ts'])
    const productFiles = files.filter((file) => ['schema', 'rest-facade', 'src'].includes(layerOf(file)))
    const groups = Map.groupBy(productFiles, (file) => `${layerOf(file)}: ${path.basename(file)}`)
    expect(Array.from(groups.values()).filter(([file = '', second]) => second && !repeated.has(path.basename(file)))).toEqual([])
  })

  test('contains no file over 200 lines', () => {
    expect(files.filter((file) => textOf(file).split('\n').length > 201)).toEqual([])
  })

  test('leaves tests with a real browser or a long form to the full suite', () => {
    const isSlow = (file: string) => / from '[^']*\/(?:chromium|provider-scene|service\/full).ts'/.test(textOf(file))
    expect(files.filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('.slow.test.') && isSlow(file))).toEqual([])
  })

  // Otherwise one failing insert would take a whole file down before a test has run.
  test('sets up tests in hooks', () => {
    const awaitWhileCollecting = /^(?:await |(?:const|let) [^=]*= (?:\(?await|[^=>]*\(await) )|^ *describe[^\n]*[(, ]async /m
    expect(files.filter((file) => /\.test\.tsx?$/.test(file) && awaitWhileCollecting.test(textOf(file)))).toEqual([])
  })

  test('reads environment variables in one file', () => {
    const readers = files.filter((file) => !['test', 'build'].includes(layerOf(file)) && /process\.env\b|\benv\(/.test(textOf(file)))
    expect(readers).toEqual(['src/config/settings.ts'])
  })
})
