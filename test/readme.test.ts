import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../rest-facade/routes/index.ts'
import { runCli } from './support/service/cli.ts'
import { useService } from './support/service/service.ts'
import { secretKey } from './support/service/test-settings.ts'
import { importDemo } from './support/data/demo.ts'
import { teamToken } from './support/data/team.ts'
import { insertDelivery } from './support/webhooks/delivery-row.ts'

// Runs the commands of the README and of docs/api.md, in their order, on a service with the demo team.

const readme = readFileSync('README.md', 'utf8')
const cli = 'npm run -s cli -- '
const lines = [readme, readFileSync('docs/api.md', 'utf8')].flatMap((text) => text.split('\n'))
const calls = lines.filter((line) => line.startsWith('curl ')).map(parseCurl)
// `doctor` checks the processes of a whole installation; test/cli/doctor/ runs it.
const commands = lines.filter((line) => line.startsWith(cli) && line !== `${cli}doctor`).map((line) => line.slice(cli.length))

describe('the commands of the README and docs/api.md', () => {
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
    await insertDelivery(service.database.pool, team.id, service.clock.now())
    variables.WEBHOOK_ID = (await prisma.webhook.findFirstOrThrow()).id
    variables.INVOICE_ID = (await prisma.invoice.findFirstOrThrow()).id
  })

  test('use a demo team whose records are all valid', () => expect([report.wrongCount, report.records]).toEqual([0, 30]))

  test.each(calls)('succeed: curl $method $url', async ({ method, headers, body, url }) => {
    const fill = (text: string) =>
      text.replace(/\$([A-Z_]+)/g, (_, name: string) => variables[name] ?? '').replace('http://localhost:3000', service.url)
    const pairs = headers.map((header): [string, string] => [header.split(': ')[0] ?? '', fill(header.split(': ')[1] ?? '')])
    const response = await fetch(fill(url), { method, headers: pairs, ...(body !== undefined && { body }) })
    const text = await response.text()
    expect(response.ok, text).toBe(true)
    if (url.endsWith('/graphql')) expect(JSON.parse(text)).not.toHaveProperty('errors')
  })

  test.each(commands)('succeed: %s', async (command) => {
    const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY: secretKey }
    expect(await runCli(settings, wordsOf(command))).toMatchObject({ status: 0, stderr: '' })
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

test('the README has at most 130 lines', () => expect(readme.split('\n').length).toBeLessThanOrEqual(130))

/** The words of a command line, without quotes. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+)/g),
    ([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, '$1') ?? bare ?? '',
  )
}

/** Parses a `curl` line into a request. */
function parseCurl(line: string) {
  const words = wordsOf(line)
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? word : []))
  const body = valuesOf('-d')[0]
  return { method: valuesOf('-X')[0] ?? (body ? 'POST' : 'GET'), headers: valuesOf('-H'), body, url: words.at(-1) ?? '' }
}
