import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../../prisma/generated/client/client.ts'
import { createOwnedTeam, createTeam, createUser, join, teamToken } from '../../../support/data/team.ts'
import { createDomain } from '../../../support/domains/domain.ts'
import { createStaff, staffToken } from '../../../support/graphql/staff/staff.ts'
import { createFailingWebhook, teamStateReader } from '../../../support/graphql/staff/team-state.ts'
import { graphql } from '../../../support/http/graphql.ts'
import { seedProvider } from '../../../support/identity-providers/seed-provider.ts'
import { createClient } from '../../../support/oauth/oauth.ts'
import { executeAs, sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
let staff: User
let token: string
let read: Awaited<ReturnType<typeof teamStateReader>>
beforeAll(async () => {
  staff = await createStaff(database)
  token = await staffToken(database, staff)
  read = await teamStateReader(service, staff)
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('staff.teamState', () => {
  test('returns the state of a team in which everything has an entry, with instants in the form of responses', async () => {
    const { team, owner } = await createOwnedTeam(database, { name: 'Acme' })
    await join(database, team, await createUser(database), 'member')
    await teamToken(database, team)
    const webhook = await createFailingWebhook(service, team)
    const provider = await seedProvider(service, team, {
      name: 'Okta',
      testedAt: clock.now(),
      failedAt: clock.now(),
      failure: 'The identity provider cannot be reached.',
    })
    await prisma.team.update({ where: { id: team.id }, data: { signInProviderId: provider, signInRequiredAt: clock.now() } })
    const { domain } = await createDomain(database, team, { verifiedAt: null })
    const client = await createClient(database, { ownerTeamId: team.id, name: 'Reports', state: 'submitted' })
    const invite =
      'mutation ($slug: String!) { inviteMember(input: { team: $slug, email: "guest@example.test", role: MEMBER }) { __typename } }'
    await executeAs(service, await sessionOf(service, owner), invite, { slug: team.slug })
    const { latestEntries, ...state } = await read(team.slug)
    expect(state).toEqual({
      team: { slug: team.slug, name: 'Acme', members: { total: 2, nodes: [expect.anything(), expect.anything()] } },
      deletedAt: null,
      erasedAt: null,
      restorableUntil: null,
      isMember: false,
      memberCounts: [
        { role: 'OWNER', count: 1 },
        { role: 'MEMBER', count: 1 },
      ],
      openInvitationCount: 1,
      invitations: [{ invitationId: expect.any(String), email: 'guest@example.test', role: 'MEMBER', sentAt: instant, expiresAt: instant }],
      tokenCount: 1,
      signInRequiredAt: instant,
      identityProviders: [
        {
          providerId: provider,
          kind: 'OIDC',
          name: 'Okta',
          host: 'idp.example.com',
          isRequired: true,
          testedAt: instant,
          failedAt: instant,
          failure: 'The identity provider cannot be reached.',
          disabledAt: null,
          certificates: [],
        },
      ],
      domains: [{ domain, verifiedAt: null, checkedAt: instant, missingSince: null }],
      webhooks: [
        {
          webhookId: webhook.id,
          host: 'hooks.example.com',
          description: '',
          state: 'FAILING',
          disabledAt: null,
          disabledReason: null,
          failingSince: webhook.failingSince.toISOString(),
          lastError: 'The endpoint responded with the status 503.',
        },
      ],
      clients: [
        { clientId: client.clientId, name: 'Reports', state: 'SUBMITTED', createdAt: instant, disabledAt: null, proposedChanges: [] },
      ],
    })
    expect(latestEntries).toContainEqual(
      expect.objectContaining({ action: 'CREATE_WEBHOOK', at: instant, subjectName: 'https://hooks.example.com/…' }),
    )
  })

  test('reads a deleted team, and says until when it can be restored', async () => {
    const team = await createTeam(database, { deletedAt: clock.now() })
    const selection = 'team { slug name } deletedAt erasedAt restorableUntil'
    expect(await read(team.slug, selection)).toEqual({
      team: { slug: team.slug, name: team.name },
      deletedAt: team.deletedAt?.toISOString(),
      erasedAt: null,
      restorableUntil: instant,
    })
    await prisma.team.update({ where: { id: team.id }, data: { erasedAt: clock.now() } })
    expect(await read(team.slug, 'erasedAt restorableUntil')).toEqual({ erasedAt: instant, restorableUntil: null })
  })

  test('says whether the caller is a member of the team', async () => {
    const { team } = await createOwnedTeam(database)
    await join(database, team, staff, 'member')
    expect(await read(team.slug, 'isMember')).toEqual({ isMember: true })
  })

  test('returns not_found for a team that does not exist', async () => {
    for (const slug of ['no-such-team', '\\u0000', '']) {
      const { errors } = await graphql(service, token, `{ staff { teamState(slug: "${slug}") { isMember } } }`)
      expect(errors[0]?.extensions?.code).toBe('not_found')
    }
  })

  test('writes one entry with the selected fields to the audit log of the team', async () => {
    const { team } = await createOwnedTeam(database)
    await read(team.slug, 'tokenCount webhooks { host } team { members { total } }')
    const entries = await prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'readAsStaff' } })
    expect(entries).toEqual([
      expect.objectContaining({
        actorUserId: staff.id,
        subject: team.slug,
        subjectName: 'teamState',
        after: { arguments: { slug: team.slug }, fields: ['tokenCount', 'webhooks.host', 'team.members.total'] },
      }),
    ])
  })

  test('reads the state in one statement, and the clients in another', async () => {
    const { team } = await createOwnedTeam(database)
    service.statements.length = 0
    await read(team.slug)
    const statements = service.statements.filter((text) => /FROM (?:teams t|oauth_clients r)/.test(text))
    expect(statements).toHaveLength(1)
    expect(service.statements.filter((text) => !text.includes('last_used_at = u.at')).length).toBeLessThanOrEqual(8)
  })
})
