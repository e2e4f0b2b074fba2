import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../rest-facade/routes/index.ts'
import { importLines } from '../src/data-transfer/import/run.ts'
import { readLines } from '../src/data-transfer/import/lines.ts'
import { settings } from '../src/config/settings.ts'
import { withSession } from '../src/database/connection.ts'
import { useService } from './support/service/service.ts'
import { teamToken } from './support/data/team.ts'

// Runs every `curl` line of the README against a service with the demo team.

const readme = readFileSync('README.md', 'utf8')

describe('the settings table of the README', () => {
  test('lists every setting with its default and description', () => {
    const rows = settings.map(
      ({ variable, defaultText, description }) => `| \`${variable}\` | ${defaultText ? `\`${defaultText}\`` : ''} | ${description} |`,
    )
    expect(readme).toContain(['| variable | default | |', '|---|---|---|', ...rows].join('\n'))
  })
})

describe('the curl lines of the README', () => {
  const calls = readme
    .split('\n')
    .filter((line) => line.startsWith('curl '))
    .map(parseCurl)
  const variables: Record<string, string> = {}
  let poolConfig = {}
  const service = useService({ connectThrough: (config) => (poolConfig = config) })
  let report: Awaited<ReturnType<typeof importDemo>>

  beforeAll(async () => {
    report = await importDemo(poolConfig)
    const { prisma } = service.database
    const team = await prisma.team.findUniqueOrThrow({ where: { slug: 'acme' } })
    variables.TOKEN = await teamToken(service.database, team)
    variables.TOKEN_ID = (await prisma.accessToken.findFirstOrThrow()).id
    variables.USER_ID = (await prisma.user.findUniqueOrThrow({ where: { email: 'dae@acme.example' } })).id
    variables.INVOICE_ID = (await prisma.invoice.findFirstOrThrow()).id
  })

  test('use a demo team whose records are all valid', () => expect([report.wrongCount, report.records]).toEqual([0, 30]))

  test.each(calls)('succeed for $method $url', async ({ method, headers, body, url }) => {
    const fill = (text: string) =>
      text.replace(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '').replace('http://localhost:3000', service.url)
    const pairs = headers.map((header): [string, string] => [header.split(': ')[0] ?? '', fill(header.split(': ')[1] ?? '')])
    const response = await fetch(fill(url), { method, headers: pairs, ...(body !== undefined && { body }) })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    if (url.endsWith('/graphql')) expect(JSON.parse(text)).not.toHaveProperty('errors')
  })

  test('call every documented route', () => {
    const called = calls.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^\/api/, '')}`)
    const missing = routes.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      return !called.some((call) => pattern.test(call))
    })
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })
})

/** Parses a `curl` line into a request. */
function parseCurl(line: string) {
  const words = Array.from(
    line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? bare ?? '',
  )
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? word : []))
  const body = valuesOf('-d')[0]
  return { method: valuesOf('-X')[0] ?? (body ? 'POST' : 'GET'), headers: valuesOf('-H'), body, url: words.at(-1) ?? '' }
}

function importDemo(poolConfig: object) {
  const options = { partial: false, operator: 'test', source: 'demo', onProgress: () => {} }
  const bytes = createReadStream('src/demo/acme.ndjson')
  return withSession(poolConfig, (session) =>
    importLines(
      session,
      readLines(bytes, () => {}),
      options,
    ),
  )
}

describe('the README', () => {
  test('has the sections that readers look for, in this order', () => {
    const sections = Array.from(readme.matchAll(/^## (.+)$/gm), ([, name]) => name)
    expect(sections).toEqual([
      'Quick start',
      'API',
      'Account site',
      'OAuth integration',
      'CLI',
      'Configuration',
      'Architecture',
      'Deployment',
      'Contributing',
    ])
  })

  test('names files and folders that exist', () => {
    const named = Array.from(readme.matchAll(/`((?:prisma|schema|rest-facade|src|test|docs)\/[\w./-]*)`/g), ([, name = '']) => name)
    const listed = Array.from(readme.matchAll(/^ ?\d+ {2}(\S+)/gm), ([, name = '']) => name)
    expect(named.length).toBeGreaterThan(50)
    expect(listed).toHaveLength(10)
    expect([...named, ...listed].filter((name) => !existsSync(name))).toEqual([])
  })
})
