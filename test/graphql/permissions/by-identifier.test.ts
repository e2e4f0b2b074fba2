import { beforeAll, describe, expect, test } from 'vitest'
import { LazyTeams } from '../../../schema/core/team-access/lazy-teams.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

// Mutations whose team follows from the identifier of an object in it, and the permissions of an OAuth client.

const service = useService()
const { database } = service
const { prisma } = database

describe.each(['resendInvitation', 'revokeInvitation'])('%s', (mutation) => {
  const call = async (token: string, id: string) => {
    const document = `mutation ($id: ID!) { ${mutation}(input: { id: $id }) { invitation { status } } }`
    return (await mutate(service, token, document, { id })).refusal?.code
  }

  test('requires scope and role in the team of the invitation and returns not_found to everyone else', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const email = `${unique('guest')}@example.test`
    const invite = `mutation { inviteMember(input: { team: "${team.slug}", email: "${email}", role: MEMBER }) { invitation { id: invitationId } } }`
    const { id } = (await graphql(service, token, invite)).data.inviteMember.invitation
    const other = await createOwnedTeam(database)
    for (const outsider of [other.token, await teamToken(database, other.team)]) {
      expect(await call(outsider, id)).toBe('not_found')
      expect(await call(outsider, '00000000-0000-4000-8000-000000000000')).toBe('not_found')
    }
    for (const role of ['member', 'billing'] as const) {
      const user = await createUser(database)
      await join(database, team, user, role)
      expect(await call(await personalToken(database, user), id)).toBe('role_required')
    }
    expect(await call(await personalToken(database, owner, { scopes: ['acct:team:members:write'] }), id)).toBe('insufficient_scope')
    expect(await call(await teamToken(database, team, { scopes: ['acct:team:invitations:write'] }), id)).toBeUndefined()
  })
})

describe('an OAuth client that acts for an owner with every scope', () => {
  let team: Team
  let owner: User
  let other: OwnedTeam
  let session: UserPrincipal
  let client: UserPrincipal
  beforeAll(async () => {
    ;({ team, owner } = await createOwnedTeam(database))
    other = await createOwnedTeam(database)
    await join(database, other.team, owner, 'owner')
    session = await sessionOf(service, owner)
    client = {
      ...session,
      authenticationMethod: 'oauth',
      credentialId: 'grant-1',
      teams: new LazyTeams({ userId: owner.id, teamIds: [team.id], revokedTeamIds: [] }, []),
      client: { clientId: 'dashboard', name: 'Dashboard', team: team.slug, grantExpiresAt: new Date() },
    }
  })
  const execute = async (document: string) => {
    const { data, refusal } = await executeAs(service, client, document)
    return refusal?.code ?? data
  }

  test('is reported as an OAuth viewer and reaches only the team of its grant', async () => {
    expect(await execute('{ viewer { kind clientId teamSlug teamSlugs team { slug } } teams { slug } }')).toEqual({
      viewer: { kind: 'OAUTH', clientId: 'dashboard', teamSlug: team.slug, teamSlugs: [team.slug], team: { slug: team.slug } },
      teams: [{ slug: team.slug }],
    })
    expect(await execute(`{ team(slug: "${other.team.slug}") { slug } }`)).toBe('team_forbidden')
    expect(await execute(`mutation { updateTeam(input: { team: "${other.team.slug}", name: "Evil" }) { team { slug } } }`)).toBe(
      'team_forbidden',
    )
  })

  test('cannot list, create, rotate or revoke tokens, and cannot accept or decline invitations', async () => {
    const value = await personalToken(database, owner)
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: owner.id } })
    for (const document of [
      '{ viewer { tokens { total } } }',
      `mutation { createTeamToken(input: { team: "${team.slug}", name: "CI", scopes: ["teams"] }) { value } }`,
      'mutation { createPersonalToken(input: { name: "CI", scopes: ["teams"], expiresAt: "2099-01-01T00:00:00Z" }) { value } }',
      `mutation { rotateToken(input: { id: "${id}" }) { value } }`,
      `mutation { updateToken(input: { id: "${id}", name: "x" }) { token { __typename } } }`,
      `mutation { revokeToken(input: { id: "${id}" }) { token { __typename } } }`,
      'mutation { acceptInvitation(input: { token: "x" }) { team { slug } } }',
      'mutation { declineInvitation(input: { token: "x" }) { invitation { id: invitationId } } }',
    ])
      expect(await execute(document)).toBe('session_required')
    expect((await graphql(service, value, '{ viewer { id: userId } }')).errors).toEqual([])
  })
})
