import { expect, test } from 'vitest'
import { join, personalToken } from '../../support/data/team.ts'
import { createProvider, requireSignIn } from '../../support/domains/required-sign-in.ts'
import { request } from '../../support/http/request.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

test('a team without a requirement costs no call of the function and no table', async () => {
  const { team } = await requireSignIn(service)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: null, signInRequiredAt: null } })
  const user = await createPerson(database)
  await join(database, team, user, 'member')
  const token = await personalToken(database, user)
  const call = () => request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })
  await call()
  service.statements.length = 0
  service.executions.length = 0
  expect((await call()).status).toBe(200)
  expect(service.statements.filter((text) => text.includes('identity_providers') || text.includes('external_identities'))).toEqual([])
  const authentication = service.executions.find(({ text }) => text.includes('last_required_sign_in'))
  if (!authentication) return expect.unreachable()
  const callsOf = async () => {
    const client = await database.pool.connect()
    try {
      await client.query("BEGIN; SET LOCAL track_functions = 'all'")
      await client.query(authentication.text, [...authentication.values])
      const { rows } = await client.query(
        "SELECT pg_stat_get_xact_function_calls('last_required_sign_in(uuid, uuid, uuid, text)'::regprocedure) AS calls",
      )
      return Number(rows[0]?.calls ?? 0)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  expect(await callsOf()).toBe(0)
  const provider = await createProvider(service, team)
  await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider.id, signInRequiredAt: clock.now() } })
  expect(await callsOf()).toBe(1)
})
