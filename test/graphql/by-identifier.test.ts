import { describe, expect, test } from 'vitest'
import type { UserPrincipal } from '../../schema/context.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, sessionOf } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../support/team.ts'

// What names its team by an identifier of something within it, and credentials that no door gives out yet.

const service = await startService()
const { database } = service
const { prisma } = database

describe.each(['resendInvitation', 'revokeInvitation'])('%s', (mutation) => {
  const call = async (token: string, id: string) => {
    const { errors } = await graphql(service, token, `mutation ($id: ID!) { ${mutation}(input: { id: $id }) { invitation { status } } }`, {
      id,
    })
    return errors[0]?.extensions?.code
  }

  test('needs scope and role in the team of the invitation, which is none to others', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const email = `${unique('guest')}@example.test`
    const invite = `mutation { inviteMember(input: { team: "${team.slug}", email: "${email}", role: MEMBER }) { invitation { id } } }`
    const { id } = (await graphql(service, token, invite)).data.inviteMember.invitation
    const other = await createOwnedTeam(database)
    for (const stranger of [other.token, await teamToken(database, other.team)]) {
      expect(await call(stranger, id)).toBe('not_found')
      expect(await call(stranger, '00000000-0000-4000-8000-000000000000')).toBe('not_found')
    }
    for (const role of ['member', 'billing'] as const) {
      const person = await createUser(database)
      await join(database, team, person, role)
      expect(await call(await personalToken(database, person), id)).toBe('role_required')
    }
    expect(await call(await personalToken(database, owner, { scopes: ['acct:team:members:write'] }), id)).toBe('insufficient_scope')
    expect(await call(await teamToken(database, team, { scopes: ['acct:team:invitations:write'] }), id)).toBeUndefined()
  })
})

describe('a client acting for an owner, with every scope', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const other = await createOwnedTeam(database)
  await join(database, other.team, owner, 'owner')
  const session = await sessionOf(service, owner)
  const client: UserPrincipal = {
    ...session,
    via: 'oauth',
    credentialId: 'grant-1',
    teams: session.teams.filter((reach) => reach.team.id === team.id),
    client: { clientId: 'dashboard', team: team.slug },
  }
  const ask = async (document: string) => {
    const { data, refusal } = await executeAs(service, client, document)
    return refusal?.code ?? data
  }

  test('is told as what it is, and reaches the team of its grant alone', async () => {
    expect(await ask('{ viewer { kind clientId teamSlug teamSlugs team { slug } } teams { slug } }')).toEqual({
      viewer: { kind: 'OAUTH', clientId: 'dashboard', teamSlug: team.slug, teamSlugs: [team.slug], team: { slug: team.slug } },
      teams: [{ slug: team.slug }],
    })
    expect(await ask(`{ team(slug: "${other.team.slug}") { slug } }`)).toBe('team_forbidden')
    expect(await ask(`mutation { updateTeam(input: { team: "${other.team.slug}", name: "Evil" }) { team { slug } } }`)).toBe(
      'team_forbidden',
    )
  })

  test('neither sees personal tokens nor makes, rotates or revokes any, nor answers invitations', async () => {
    const value = await personalToken(database, owner)
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: owner.id } })
    for (const document of [
      '{ viewer { tokens { total } } }',
      `mutation { createTeamToken(input: { team: "${team.slug}", name: "CI", scopes: ["teams"] }) { value } }`,
      'mutation { createPersonalToken(input: { name: "CI", scopes: ["teams"], expiresAt: "2099-01-01T00:00:00Z" }) { value } }',
      `mutation { rotateToken(input: { id: "${id}" }) { value } }`,
      `mutation { revokeToken(input: { id: "${id}" }) { token { __typename } } }`,
      'mutation { acceptInvitation(input: { token: "x" }) { team { slug } } }',
      'mutation { declineInvitation(input: { token: "x" }) { invitation { id } } }',
    ])
      expect(await ask(document)).toBe('insufficient_scope')
    expect((await graphql(service, value, '{ viewer { id } }')).errors).toEqual([])
  })
})
