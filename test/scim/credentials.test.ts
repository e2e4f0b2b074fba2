import { describe, expect, test } from 'vitest'
import { scopes } from '../../schema/core/scopes.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import type { Team } from '../../prisma/generated/client/client.ts'
import { enter, sessionHeader } from '../support/account-site/page-content.ts'
import { Browser } from '../support/browser/browser.ts'
import { join, personalToken, teamToken } from '../support/data/team.ts'
import { createIdentity } from '../support/identities/identity.ts'
import { clientToken, machineToken } from '../support/oauth/clients/machines.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { createPerson } from '../support/oauth/oauth.ts'
import { createDirectory, patchOf } from '../support/scim/directory.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const scope: Scope = 'acct:team:scim'
const everyScope = Object.keys(scopes) as Scope[]

type Target = Awaited<ReturnType<typeof createTarget>>
type Headers = Record<string, string>

/** A directory with a user and a group. */
async function createTarget() {
  const directory = await createDirectory(service)
  const { id: userId } = await directory.provision('ada')
  const { body } = await directory.send('POST', '/Groups', { displayName: 'G', members: [{ value: userId }] })
  return { ...directory, userId, groupId: String(body.id) }
}

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` })
const past = new Date(0)
const everyOtherScope = everyScope.filter((each) => each !== scope)
const ofTeam = (team: Team) => ({ where: { teamId: team.id } })

/** What is not sufficient, with the status of the answer. */
const refused: readonly [what: string, status: 401 | 403, (target: Target) => Headers | Promise<Headers>][] = [
  ['no credential', 401, () => ({})],
  ['an unknown token', 401, () => bearer('wrong')],
  ['an empty token', 401, () => bearer('')],
  ['the token with another scheme', 401, ({ scimToken }) => ({ Authorization: `Basic ${btoa(`${scimToken}:`)}` })],
  ['the token as if it were bound to a key', 401, ({ scimToken }) => ({ Authorization: `DPoP ${scimToken}` })],
  [
    'a session of an owner',
    401,
    async ({ team }) => {
      const owner = await createPerson(service.database)
      await join(service.database, team, owner, 'owner')
      const browser = new Browser(service.url)
      expect((await enter(browser, owner, `/teams/${team.slug}/members`)).status).toBe(200)
      return { Cookie: sessionHeader(browser), Origin: service.url, 'Sec-Fetch-Site': 'same-origin' }
    },
  ],
  [
    'a revoked token',
    401,
    async ({ team, scimToken }) => {
      await prisma.accessToken.updateMany({ ...ofTeam(team), data: { revokedAt: past } })
      return bearer(scimToken)
    },
  ],
  ['an expired token', 401, async ({ team }) => bearer(await teamToken(service.database, team, { scopes: [scope], expiresAt: past }))],
  [
    'the token of a deleted team',
    401,
    async ({ team, scimToken }) => {
      await prisma.team.update({ where: { id: team.id }, data: { deletedAt: service.clock.now() } })
      return bearer(scimToken)
    },
  ],
  [
    'a team token with all other scopes',
    403,
    async ({ team }) => bearer(await teamToken(service.database, team, { scopes: everyOtherScope })),
  ],
  [
    'a personal token of an owner with all scopes',
    403,
    async ({ owner }) => bearer(await personalToken(service.database, owner, { scopes: everyScope })),
  ],
  [
    'an access token that an owner gave to a client',
    403,
    async ({ owner, team }) =>
      bearer(await accessToken(service.database, await createGrant(service.database, owner, { team, scopes: everyScope }))),
  ],
  [
    'a client of the team with all scopes',
    403,
    async ({ team }) => bearer(await clientToken(service.database, team, { scopes: everyScope })),
  ],
  [
    'a workload identity with all scopes',
    403,
    async ({ team }) => {
      const expiresAt = new Date(Date.now() + 600_000)
      return bearer(await machineToken(service.database, await createIdentity(service, team), { scopes: everyScope, expiresAt }))
    },
  ],
]

const requestsTo = ({ userId, groupId, domain, scimToken }: Target): readonly [method: string, path: string, body?: object][] => [
  ['GET', '/Users'],
  ['GET', `/Users?access_token=${scimToken}`],
  ['GET', `/Users/${userId}`],
  ['POST', '/Users', { userName: `bo@${domain}` }],
  ['PUT', `/Users/${userId}`, { userName: `ada@${domain}`, active: false }],
  ['PATCH', `/Users/${userId}`, patchOf({ op: 'replace', value: { active: false } })],
  ['DELETE', `/Users/${userId}`],
  ['GET', '/Groups'],
  ['POST', '/Groups', { displayName: 'H' }],
  ['PATCH', `/Groups/${groupId}`, patchOf({ op: 'remove', path: 'members' })],
  ['DELETE', `/Groups/${groupId}`],
  ['GET', '/ServiceProviderConfig'],
  ['GET', '/ResourceTypes/User'],
  ['GET', '/Schemas'],
]

const rows = async ({ team }: Target) => [
  await prisma.member.findMany(ofTeam(team)),
  await prisma.scimUser.findMany(ofTeam(team)),
  await prisma.scimGroup.findMany(ofTeam(team)),
  await prisma.scimGroupMember.findMany(ofTeam(team)),
  await prisma.auditEntry.count(ofTeam(team)),
]

describe('SCIM', () => {
  test.each(refused)('is refused with %s, by an error of SCIM, and nothing changes', async (_, status, headersFor) => {
    const target = await createTarget()
    const headers = await headersFor(target)
    const before = await rows(target)
    for (const [method, path, body] of requestsTo(target)) {
      const response = await fetch(`${service.url}/scim/v2${path}`, {
        method,
        headers: { ...headers, 'Content-Type': 'application/scim+json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const { headers: answered } = response
      expect([method, path, response.status, await response.json()]).toEqual([
        method,
        path,
        status,
        { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail: expect.any(String) },
      ])
      expect(answered.get('content-type')).toBe('application/scim+json; charset=utf-8')
      expect(answered.get('www-authenticate')).toContain(status === 403 ? `scope="${scope}"` : 'Bearer')
    }
    expect(await rows(target)).toEqual(before)
  })

  test('shows the directory of another team nothing, and changes nothing for it', async () => {
    const [target, other] = [await createTarget(), await createDirectory(service)]
    const before = await rows(target)
    for (const [method, path, body] of requestsTo(target))
      if (path.includes(target.userId) || path.includes(target.groupId))
        expect([method, path, (await other.send(method, path, body)).status]).toEqual([method, path, 404])
    expect(JSON.stringify((await other.send('GET', '/Users')).body)).not.toContain(target.userId)
    expect((await other.send('GET', '/Groups')).body.totalResults).toBe(0)
    expect(await rows(target)).toEqual(before)
  })
})
