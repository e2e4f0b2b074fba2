import { beforeAll, expect, test } from 'vitest'
import { commands } from '../../../src/cli/commands/index.ts'
import { textWidth } from '../../../src/cli/terminal/layout.ts'
import { createIssuer } from '../../support/identity-providers/issuer.ts'
import { runCli, runOnTerminal, useCli } from '../../support/service/cli.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const cli = useCli()
const env = { ...cli.env, SECRET_KEY: secretKey, OUTGOING_ALLOWED_HOSTS: 'hooks.northwind-trading-company.example' }
const team = 'northwind-trading-company-europe'
const email = 'maximiliane.von-und-zu-hohenlohe@northwind-trading-company.example'
const tokens = ['production-kubernetes-deployment-pipeline-eu-west', 'Nightly export of invoices to the data warehouse']
const scopes = ['acct:team:members:write', 'acct:team:invitations:write', 'acct:team:invoices:read', 'flow:rules:read']
const ids: Record<string, string> = {}

/** Runs a command with `--json` and returns the parsed output. */
async function answer(...line: string[]) {
  const { status, stdout, stderr } = await runCli(env, [...line, '--json'])
  if (status !== 0) throw new Error(`${line.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

beforeAll(async () => {
  const { pool } = cli
  await answer('user', 'create', '--email', email, '--name', 'Maximiliane von und zu Hohenlohe-Waldenburg-Schillingsfürst', '--verified')
  await answer('team', 'create', '--slug', team, '--name', 'Northwind Trading Company Europe GmbH & Co. KG', '--owner', email)
  await answer('team', 'create', '--slug', `${team}-old`, '--name', 'Northwind Trading Company Europe', '--owner', email)
  await answer('team', 'delete', `${team}-old`, '--yes')
  for (const name of tokens) {
    const line = ['token', 'create', '--team', team, '--name', name, '--expires-in', '90d']
    await answer(...line, ...scopes.flatMap((scope) => ['--scope', scope]))
  }
  const uris = ['--redirect-uri', 'https://reporting.northwind-trading-company.example/oauth/callback/of/the/service']
  const client = ['client', 'create', '--client-id', 'northwind-reporting-dashboard-production', '--name', 'Northwind Reporting Dashboard']
  await answer(...client, '--public', ...uris, '--required-scope', 'openid', '--optional-scope', 'acct:team:invitations:write')
  const url = 'https://hooks.northwind-trading-company.example/team-account-service/events?environment=production'
  ids.webhook = (await answer('webhook', 'create', '--team', team, '--url', url, '--types', 'member.joined,member.removed')).id
  const job = ['--preset', 'github', '--project-id', '741085216', '--environment', 'production-eu-west', '--branch', 'main']
  const identity = ['identity', 'create', '--team', team, '--name', 'Deployments of the reporting dashboard', ...job]
  await answer(...identity, ...scopes.flatMap((scope) => ['--scope', scope]))
  await pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at, checked_at, missing_since)
    SELECT id, 'accounts-payable.northwind-trading-company-europe.example', 'x', now(), now(), now() FROM teams WHERE slug = '${team}'`)
  await pool.query(
    `INSERT INTO identity_providers (team_id, kind, name, issuer, client_id) SELECT id, 'oidc', $1, $2, '1' FROM teams WHERE slug = $3`,
    ['Northwind Trading Company Europe Workforce', await createIssuer(), team],
  )
  await answer('keys', 'rotate')
})

/** Every command whose output is a table, with what it needs to print one. */
const lines: Record<string, () => string[]> = {
  'team list': () => [],
  'user list': () => [],
  'token list': () => ['--team', team],
  'client list': () => [],
  'client show': () => ['northwind-reporting-dashboard-production'],
  'webhook list': () => ['--team', team],
  'webhook show': () => [ids.webhook ?? ''],
  'identity list': () => ['--team', team],
  'domain list': () => [],
  'provider list': () => ['--team', team],
  'keys list': () => [],
  'mail list': () => [],
  'migrate status': () => [],
  doctor: () => [],
}
const linesOn = (columns: number, command: string, ...more: string[]) =>
  runOnTerminal(env, columns, [...command.split(' '), ...(lines[command]?.() ?? []), ...more])

test('every command that lists or shows objects is part of this test', () => {
  const names = commands.map(({ name }) => name).filter((name) => / (list|show|status)$/.test(name))
  expect(names.filter((name) => !(name in lines))).toEqual([])
})

test.each(Object.keys(lines))(
  '%s prints rows, no line that is wider than the terminal, and the names of columns without space',
  async (command) => {
    const { stdout } = await runCli(env, [...command.split(' '), ...(lines[command]?.() ?? [])])
    const all = (stdout.split('\n')[0] ?? '').split(/ {2,}/).map((heading) => heading.toLowerCase())
    for (const columns of [40, 80, 120]) {
      const output = await linesOn(columns, command)
      expect(output.length).toBeGreaterThan(2)
      expect(output.filter((line) => textWidth(line) > columns)).toEqual([])
      const note = output.join(' ').match(/Too wide for this terminal: (.*?)\. Shown/)?.[1] ?? ''
      const end = output.indexOf('')
      // Headings of several words have several lines.
      const headings = output.slice(0, Math.max(end, 3)).join(' ').toLowerCase().split(/ +/)
      const isShown = (heading: string) => heading.split(' ').every((word) => headings.includes(word))
      expect(all.filter((heading) => !isShown(heading) && !note.split(', ').includes(heading))).toEqual([])
    }
  },
)

/** The text of a column of a table on a terminal: what is below its heading. */
const toColumnName = (output: string[], heading: string) => {
  const start = output[0]?.indexOf(heading) ?? -1
  const next = output[0]?.slice(start).match(/^\S+ +(?=\S)/)?.[0].length
  return output.slice(1).map((line) => line.slice(start, next === undefined ? undefined : start + next).trim())
}

test('token list shows names, states, scopes and expiry on a terminal of 80 columns, and identifiers of 120 columns', async () => {
  const output = await linesOn(80, 'token list')
  expect(output[0]).toMatch(/^NAME +STATE +SCOPES +EXPIRES/)
  expect(toColumnName(output, 'NAME').join('')).toContain(tokens[0])
  expect(toColumnName(output, 'STATE').filter((text) => text === 'active')).toHaveLength(2)
  expect(
    toColumnName(output, 'SCOPES')
      .filter((text) => text !== '')
      .slice(0, 4),
  ).toEqual(scopes)
  expect(toColumnName(output, 'EXPIRES').filter((text) => /^\d{4}-\d\d-\d\d$/.test(text))).toHaveLength(2)
  const { data } = await answer('token', 'list', '--team', team)
  expect(toColumnName(await linesOn(120, 'token list'), 'ID')).toEqual(expect.arrayContaining(data.map(({ id }: { id: string }) => id)))
})
