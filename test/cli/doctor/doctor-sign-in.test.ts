import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { canIssueCertificates } from '../../support/postgres/certificates.ts'
import { startDnsServer } from '../../support/http/dns-server.ts'
import { endedCertificate as ended } from '../../support/saml/ended-certificate.ts'
import { createSigner } from '../../support/saml/signer.ts'
import { runCli, useCli } from '../../support/service/cli.ts'

const cli = useCli()

beforeAll(async () => {
  await cli.answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
})

/** The problems that a check of `doctor` finds. */
async function problemsOf(check: string, settings: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await runCli({ ...cli.env, ...settings }, ['doctor', '--json'])
  const { data }: { data: { check: string; problems: { problem: string; action: string }[] }[] } = JSON.parse(stdout)
  const problems = data.find((each) => each.check === check)?.problems ?? []
  for (const { action } of problems) expect(action.length).toBeGreaterThan(10)
  return problems.map(({ problem }) => problem)
}

test.runIf(canIssueCertificates)('doctor finds SAML providers whose newest certificate ends within 30 days or has ended', async () => {
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
  await add([ended, valid])
  await add([ended], new Date())
  expect(await problemsOf('certificates')).toEqual([])
  const ids = [await add([ended]), await add([ended, ending])]
  const problems = await problemsOf('certificates')
  expect(problems).toHaveLength(2)
  const problem = (id: string, verb: string) =>
    expect.stringMatching(`^the newest certificate of the identity provider ${id} of the team acme ${verb} on \\d{4}-\\d\\d-\\d\\d$`)
  expect(problems).toEqual(expect.arrayContaining([problem(ids[0] ?? '', 'ended'), problem(ids[1] ?? '', 'ends')]))
  for (let count = 0; count < 10; count++) await add([ended])
  const all = await problemsOf('certificates')
  expect([all.length, all.at(-1)]).toEqual([11, 'so does that of 2 more'])
})

test('doctor finds that most verified domains cannot be looked up', async () => {
  onTestFinished(async () => void (await cli.pool.query('DELETE FROM team_domains')))
  const silent = new Set<string>()
  const server = await startDnsServer((name) => (silent.has(name) ? null : []))
  onTestFinished(() => server[Symbol.asyncDispose]())
  for (const name of ['a', 'b'])
    await cli.pool.query(`INSERT INTO team_domains (team_id, domain, value, verified_at) SELECT id, $1, 'value', now() FROM teams`, [
      `${name}.example`,
    ])
  const settings = { DNS_SERVERS: server.address }
  // A record that is missing is the concern of its team, which gets an email.
  expect(await problemsOf('domains', settings)).toEqual([])
  silent.add('_team-account.a.example')
  expect(await problemsOf('domains', settings)).toEqual([])
  silent.add('_team-account.b.example')
  expect(await problemsOf('domains', settings)).toEqual([
    expect.stringMatching(
      /^2 of 2 verified domains cannot be looked up\. The TXT record _team-account\.\w\.example could not be looked up: /,
    ),
  ])
})
