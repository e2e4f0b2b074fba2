import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createUser, teamToken } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const scope = 'acct:staff:read'

const createPersonal = `mutation ($input: CreatePersonalTokenInput!) { createPersonalToken(input: $input) { value token { scopes } } }`
const inputOf = (more: object = {}) => ({
  input: { name: 'Dashboard', scopes: [scope, 'teams'], expiresAt: new Date(clock.now().getTime() + 86_400_000).toISOString(), ...more },
})
const createAs = async (user: User, more?: object) => executeAs(service, await sessionOf(service, user), createPersonal, inputOf(more))
const viewerOf = async (token: string) => (await graphql(service, token, '{ viewer { isStaff scopes } }')).data.viewer
const refusedScope = {
  code: 'validation_failed',
  details: { errors: { 'scopes.0': [expect.stringMatching(/^The selected scopes.0 is invalid\.$/)] } },
}

describe('the scope acct:staff:read', () => {
  test('can be chosen for a personal token only by staff, and is refused like an unknown scope for everyone else', async () => {
    const created = await createAs(await createStaff(database))
    expect(created.data.createPersonalToken.token.scopes).toEqual([scope, 'teams'])
    expect(await viewerOf(created.data.createPersonalToken.value)).toEqual({ isStaff: true, scopes: [scope, 'teams'] })
    expect((await createAs(await createUser(database))).refusal).toMatchObject(refusedScope)
    expect((await createAs(await createUser(database), { scopes: ['acct:unknown:read'] })).refusal).toMatchObject(refusedScope)
  })

  test('can be chosen by the operator for a token of a staff user only', async () => {
    const create = (user: User) => executeAs(service, operator, createPersonal, inputOf({ user: user.email }))
    expect((await create(await createStaff(database))).refusal).toBeNull()
    expect((await create(await createUser(database))).refusal).toMatchObject(refusedScope)
  })

  test('cannot be given to a personal token that is limited to teams', async () => {
    const { team, owner } = await createOwnedTeam(database)
    await database.prisma.user.update({ where: { id: owner.id }, data: { staff: true } })
    const { refusal } = await createAs({ ...owner, staff: true }, { teams: [team.slug] })
    expect(refusal).toMatchObject({ code: 'validation_failed', details: { errors: { teams: [expect.stringContaining('all teams')] } } })
  })

  test('cannot be chosen for a team token or registered for a client, and is not in the discovery documents', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, { ...owner, staff: true })
    const create = 'mutation ($input: CreateTeamTokenInput!) { createTeamToken(input: $input) { value } }'
    const { refusal } = await executeAs(service, session, create, { input: { team: team.slug, name: 'ci', scopes: [scope] } })
    expect(refusal).toMatchObject(refusedScope)
    const register = `mutation { createClient(input: { name: "Staff", redirectUris: ["https://app.example/cb"], confidential: true,
      grantTypes: ["authorization_code"], requiredScopes: ["${scope}"], optionalScopes: [], team: NONE }) { client { clientId } } }`
    expect((await executeAs(service, operator, register)).refusal).toMatchObject({
      code: 'validation_failed',
      details: { errors: { 'requiredScopes.0': [expect.any(String)] } },
    })
    for (const name of ['openid-configuration', 'oauth-authorization-server'])
      expect((await request(service, 'GET', `/.well-known/${name}`)).body.scopes_supported).not.toContain(scope)
  })

  test('takes effect on the next request after the user becomes staff, and ends on the next one after the user leaves the staff', async () => {
    const user = await createStaff(database)
    const token = await staffToken(database, user, 'teams')
    const set = (isStaff: boolean) =>
      executeAs(service, operator, 'mutation ($input: SetStaffInput!) { setStaff(input: $input) { user { isStaff } } }', {
        input: { email: user.email, isStaff },
      })
    expect(await viewerOf(token)).toEqual({ isStaff: true, scopes: [scope, 'teams'] })
    await set(false)
    expect(await viewerOf(token)).toEqual({ isStaff: false, scopes: ['teams'] })
    await set(true)
    expect(await viewerOf(token)).toEqual({ isStaff: true, scopes: [scope, 'teams'] })
  })

  test('has no effect in a team token or an OAuth access token of staff, even if the database has it', async () => {
    const { team, owner } = await createOwnedTeam(database)
    await database.prisma.user.update({ where: { id: owner.id }, data: { staff: true } })
    expect(await viewerOf(await teamToken(database, team, { scopes: [scope, 'teams'] }))).toEqual({ isStaff: false, scopes: ['teams'] })
    const grant = await createGrant(database, owner, { scopes: ['openid', 'teams', scope] })
    await database.prisma.oAuthClient.update({ where: { id: grant.client.id }, data: { optionalScopes: ['teams', scope] } })
    expect(await viewerOf(await accessToken(database, grant))).toEqual({ isStaff: false, scopes: expect.not.arrayContaining([scope]) })
  })
})
