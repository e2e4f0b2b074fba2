import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startDnsServer } from '../../support/http/dns-server.ts'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { endedCertificate } from '../../support/saml/ended-certificate.ts'
import { createSigner } from '../../support/saml/signer.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const cli = useCli()

beforeAll(async () => {
  await cli.answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
})

interface Problem {
  problem: string
  rows?: { count: number; first: string[] }
}
interface Result {
  check: string
  state: string
  problems: Problem[]
  warnings: Problem[]
}

/** The result of a check of `doctor`. */
async function resultOf(name: string, settings: Record<string, string> = {}): Promise<Result | undefined> {
  const { stdout } = await runCli({ ...cli.env, ...settings }, ['doctor', '--json'])
  const { data }: { data: Result[] } = JSON.parse(stdout)
  return data.find(({ check }) => check === name)
}

test.runIf(canIssueCertificates)('doctor warns of SAML providers whose newest certificate ends within 30 days or has ended', async () => {
  onTestFinished(async () => void (await cli.pool.query('DELETE FROM identity_providers')))
  const [ending = '', valid = ''] = [29, 31].map((days) => createSigner({ days }).certificate)
  const add = async (certificates: readonly string[], disabledAt: Date | null = null) => {
    const { rows } = await cli.pool.query<{ id: string }>(
      `INSERT INTO identity_providers (team_id, kind, name, issuer, sso_url, certificates, disabled_at)
       SELECT id, 'saml', 'Acme ID', 'https://idp.example/' || gen_random_uuid(), 'https://idp.example/sso', $1, $2 FROM teams RETURNING id`,
      [certificates, disabledAt],
    )
    return rows[0]?.id ?? ''
  }
  await add([valid])
  await add([endedCertificate, valid])
  await add([endedCertificate], new Date())
  expect(await resultOf('certificates')).toMatchObject({ state: 'ok', warnings: [] })
  const [ended, next] = [await add([endedCertificate]), await add([endedCertificate, ending])]
  const { state, problems, warnings } = (await resultOf('certificates')) ?? {}
  expect([state, problems]).toEqual(['warning', []])
  expect(warnings).toMatchObject([
    { problem: '2 SAML providers have a certificate that ends within 30 days or has ended', rows: { count: 2 } },
  ])
  expect(warnings?.[0]?.rows?.first.toSorted()).toEqual(
    [
      `the identity provider ${ended} of the team acme: ended on 2021-01-01`,
      `the identity provider ${next} of the team acme: ends on ${new Date(Date.now() + 29 * 86_400_000).toISOString().slice(0, 10)}`,
    ].toSorted(),
  )
})

test('doctor warns of a verified domain that cannot be looked up, and reports it if it is most of them', async () => {
  onTestFinished(async () => void (await cli.pool.query('DELETE FROM team_domains')))
  const unanswered = new Set<string>()
  const server = await startDnsServer((name) => (unanswered.has(name) ? null : []))
  onTestFinished(() => server[Symbol.asyncDispose]())
  for (const name of ['a', 'b'])
    await cli.pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at) SELECT id, $1, 'value', now() FROM teams`, [
      `${name}.example`,
    ])
  const settings = { DNS_SERVERS: server.address }
  // A record that is missing is the concern of its team, which gets an email.
  expect(await resultOf('domains', settings)).toMatchObject({ state: 'ok' })
  unanswered.add('_team-account.a.example')
  const line = expect.stringMatching(/^The TXT record _team-account\.\w\.example could not be looked up: /)
  const warning = { problem: '1 verified domain cannot be looked up', rows: { count: 1, first: [line] } }
  expect(await resultOf('domains', settings)).toMatchObject({ state: 'warning', problems: [], warnings: [warning] })
  unanswered.add('_team-account.b.example')
  const problem = { problem: '2 of 2 verified domains cannot be looked up', rows: { count: 2, first: [line, line] } }
  expect(await resultOf('domains', settings)).toMatchObject({ state: 'wrong', problems: [problem], warnings: [] })
})
