import { expect, test } from 'vitest'
import { createOwnedTeam, createUser, join, personalToken, teamToken } from '../support/data/team.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { patchOf, scim } from '../support/scim/directory.ts'
import { isFull } from '../support/service/full.ts'

const service = usePair({ RATE_LIMIT_API: '0' })
const { database } = service

test('two processes refuse a member from the first request after the directory deactivated them', { timeout: 120_000 }, async () => {
  const { team } = await createOwnedTeam(database)
  const token = await teamToken(database, team, { scopes: ['acct:team:scim'] })
  const statuses: Record<number, number> = {}
  for (let count = isFull ? 250 : 25; count > 0; count--) {
    const user = await createUser(database)
    await join(database, team, user, 'member')
    const personal = await personalToken(database, user)
    const read = async () =>
      (await fetch(`${service.url}/api/v1/teams/${team.slug}`, { headers: { Authorization: `Bearer ${personal}`, Connection: 'close' } }))
        .status
    expect(await Promise.all([read(), read()])).toEqual([200, 200])
    expect((await scim(service, token, 'PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', value: { active: false } }))).status).toBe(
      200,
    )
    for (const status of await Promise.all([read(), read(), read(), read()])) statuses[status] = (statuses[status] ?? 0) + 1
  }
  expect(statuses).toEqual({ 403: isFull ? 1000 : 100 })
})
