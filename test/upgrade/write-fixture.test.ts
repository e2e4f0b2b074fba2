import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listTables } from '../../src/backup/catalog.ts'
import { withSession } from '../../src/database/connection.ts'
import { settingsFor, succeed } from '../support/backup/backup-files.ts'
import { everything } from '../support/data/records/everything.ts'
import { enableTotp } from '../support/data/second-factor.ts'
import { createOwnedTeam, join, teamToken } from '../support/data/team.ts'
import { connectClient } from '../support/oauth/clients/connect-client.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'
import { secretKey } from '../support/service/test-settings.ts'

// Not a test: writes the data of this version for the upgrade test of later versions (docs/operations/upgrade.md#fixtures).
const release = process.env['UPGRADE_FIXTURE']

describe.runIf(release !== undefined)('the fixture of a release', () => {
  const service = useService()

  test('is written', async () => {
    const { database } = service
    const settings = settingsFor(service.databaseUrl, '/nonexistent')
    await succeed(
      settings,
      ['import', '-'],
      everything()
        .records.map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    const { team, owner, token } = await createOwnedTeam(database, { slug: 'upgrade' })
    const ofTeam = await teamToken(database, team)
    const person = await createPerson(database)
    await join(database, team, person, 'billing')
    const principal = { ...(await sessionOf(service, person)), authenticatedAt: service.clock.now() }
    const { secret, recoveryCodes } = await enableTotp({ service, principal })
    const { client, tokens } = await connectClient(service, {}, { changes: { scope: 'openid offline_access' } })
    const deleted = await createOwnedTeam(database)
    // Queues a mail.
    await succeed(settings, ['team', 'delete', deleted.team.slug, '--yes'])
    const file = path.join(import.meta.dirname, 'fixtures', `${release}.backup`)
    await succeed(settings, ['backup', file])
    // After the backup, which contains its own audit entry.
    const rows = await withSession(database.pool.options, async (session) => {
      const counts: Record<string, number> = {}
      for (const { name, sqlName } of await listTables(session)) {
        const { rows: counted } = await session.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sqlName}`)
        counts[name] = counted[0]?.count ?? 0
      }
      return counts
    })
    const facts = {
      created_at: service.clock.now().toISOString(),
      secret_key: secretKey,
      owner: { email: owner.email, token },
      person: { email: person.email, totp_secret: secret, recovery_code: recoveryCodes[0] },
      team_token: ofTeam,
      client: { client_id: client.clientId, client_secret: client.secret },
      issuer: service.url,
      tokens,
      rows,
    }
    await writeFile(file.replace(/backup$/, 'json'), `${JSON.stringify(facts, null, 2)}\n`)
    expect(rows).toMatchObject({ users: 6, 'pgboss.job': 1 })
  })
})
