import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routes } from '../rest-facade/routes/index.ts'
import { importLines } from '../src/cli/import/run.ts'
import { readLines } from '../src/cli/import/lines.ts'
import { settings } from '../src/config.ts'
import { withSession } from '../src/database/connection.ts'
import { startService } from './support/service.ts'
import { teamToken } from './support/team.ts'

// What README says is run: each line of `curl` against a service with the demo team.

const readme = readFileSync('README.md', 'utf8')

describe('the table of settings', () => {
  test('is made from the settings', () => {
    const rows = Object.values(settings).map(
      ({ name, fallback, sentence }) => `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${sentence} |`,
    )
    expect(readme).toContain(['| variable | default | |', '|---|---|---|', ...rows].join('\n'))
  })
})

describe('each curl', async () => {
  let poolConfig = {}
  const service = await startService({}, undefined, async (config) => (poolConfig = config))
  const { prisma } = service.database
  const options = { partial: false, operator: 'test', source: 'demo', onProgress: () => {} }
  const report = await withSession(poolConfig, (session) =>
    importLines(
      session,
      readLines(createReadStream('src/demo/acme.ndjson'), () => {}),
      options,
    ),
  )
  const team = await prisma.team.findUniqueOrThrow({ where: { slug: 'acme' } })
  const variables: Record<string, string> = { TOKEN: await teamToken(service.database, team) }
  variables.TOKEN_ID = (await prisma.accessToken.findFirstOrThrow()).id
  variables.USER_ID = (await prisma.user.findUniqueOrThrow({ where: { email: 'dae@acme.example' } })).id
  variables.INVOICE_ID = (await prisma.invoice.findFirstOrThrow()).id

  const lines = readme.split('\n').filter((line) => line.startsWith('curl '))
  const calls = lines.map((line) => {
    const words = Array.from(
      line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g),
      ([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? bare ?? '',
    )
    const after = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? word : []))
    const body = after('-d')[0]
    return { method: after('-X')[0] ?? (body ? 'POST' : 'GET'), headers: after('-H'), body, url: words.at(-1) ?? '' }
  })

  test('the demo team is imported without a wrong line', () => expect([report.wrongCount, report.records]).toEqual([0, 29]))

  test.each(calls)('$method $url', async ({ method, headers, body, url }) => {
    const filled = (text: string) =>
      text.replace(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '').replace('http://localhost:3000', service.url)
    const pairs = headers.map((header): [string, string] => [header.split(': ')[0] ?? '', filled(header.split(': ')[1] ?? '')])
    const response = await fetch(filled(url), { method, headers: pairs, ...(body !== undefined && { body }) })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    if (url.endsWith('/graphql')) expect(JSON.parse(text)).not.toHaveProperty('errors')
  })

  test('shows every route', () => {
    const shown = calls.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^\/api/, '')}`)
    const missing = routes.filter(({ method, path }) => {
      const pattern = new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`)
      return !shown.some((each) => pattern.test(each))
    })
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })
})

test('every file and folder it names is there', () => {
  const named = Array.from(readme.matchAll(/`((?:prisma|schema|rest-facade|src|test)\/[\w./-]*)`/g), ([, name = '']) => name)
  const pictured = Array.from(readme.matchAll(/^ ?\d+ {2}(\S+)/gm), ([, name = '']) => name)
  expect([...named, ...pictured].filter((name) => !existsSync(name))).toEqual([])
})
