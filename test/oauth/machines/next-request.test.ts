import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { post } from '../../support/oauth/oauth.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// What ends the access of a client for its team takes effect at the next request: the token is refused, and so is another one.

const service = useService()
const { database } = service
const { prisma } = database

async function createMachine() {
  const { team, owner } = await createOwnedTeam(database)
  const client = await createTeamClient(database, team)
  const { body } = await requestMachineToken(service, client)
  return { team, owner, client, token: String(body.access_token) }
}
type Context = Awaited<ReturnType<typeof createMachine>>
const clientRow = ({ client: { id } }: Context) => ({ where: { id } })
const asOperator = async (source: string) => expect((await executeAs(service, operator, source)).refusal).toBeNull()

interface Cause {
  apply(context: Context): Promise<unknown>
  /** The error with which the token endpoint refuses another token; null if the client can get one. */
  next: string | null
}

const causes: Record<string, Cause> = {
  'the client is disabled': {
    apply: ({ client }) => asOperator(`mutation { disableClient(input: { clientId: "${client.clientId}" }) { client { clientId } } }`),
    next: 'invalid_client',
  },
  'the client is deleted': {
    apply: ({ client }) => asOperator(`mutation { deleteClient(input: { clientId: "${client.clientId}" }) { client { clientId } } }`),
    next: 'invalid_client',
  },
  'the client loses the grant': {
    apply: ({ client }) =>
      asOperator(
        `mutation { updateClient(input: { clientId: "${client.clientId}", grantTypes: ["urn:ietf:params:oauth:grant-type:device_code"] }) { client { clientId } } }`,
      ),
    next: 'unauthorized_client',
  },
  'the client belongs to no team': {
    apply: (context) => prisma.oAuthClient.update({ ...clientRow(context), data: { ownerTeamId: null } }),
    next: 'invalid_grant',
  },
  'the client becomes public': {
    apply: (context) => prisma.oAuthClient.update({ ...clientRow(context), data: { confidential: false } }),
    next: 'invalid_client',
  },
  'an owner deletes the team': {
    apply: async ({ team: { slug }, owner }) => {
      const source = `mutation { deleteTeam(input: { team: "${slug}", confirmSlug: "${slug}" }) { team { slug } } }`
      expect((await executeAs(service, await sessionOf(service, owner), source)).refusal).toBeNull()
    },
    next: 'invalid_client',
  },
  'the team is erased': { apply: ({ team: { id } }) => prisma.team.delete({ where: { id } }), next: 'invalid_client' },
  'the token is revoked': { apply: ({ client, token }) => post(service, '/api/oauth/revoke', client, { token }), next: null },
  'the token has expired': {
    apply: ({ token }) => prisma.oidcModel.update({ where: { idHash: sha256(token) }, data: { expiresAt: new Date() } }),
    next: null,
  },
  'the token is consumed': {
    apply: ({ token }) => prisma.oidcModel.update({ where: { idHash: sha256(token) }, data: { consumedAt: new Date() } }),
    next: null,
  },
  'the token is stored as one of a user': {
    apply: ({ token }) => prisma.oidcModel.update({ where: { idHash: sha256(token) }, data: { kind: 'AccessToken' } }),
    next: null,
  },
}

describe.each(Object.entries(causes))('if %s', (_, { apply, next }) => {
  test('the next request with the token is refused', async () => {
    const context = await createMachine()
    const { client, token, team } = context
    const path = `/api/v1/teams/${team.slug}`
    expect((await request(service, 'GET', path, { token })).status).toBe(200)
    await apply(context)
    const { status, body } = await request(service, 'GET', path, { token })
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await graphql(service, token, '{ viewer { kind } }')).errors[0]?.extensions?.code).toBe('unauthenticated')
    const another = await requestMachineToken(service, client)
    expect([another.status < 500, another.body.error ?? null]).toEqual([true, next])
  })
})

test('without a scope of the client, the next request lacks it', async () => {
  const context = await createMachine()
  const path = `/api/v1/teams/${context.team.slug}/members`
  expect((await request(service, 'GET', path, { token: context.token })).status).toBe(200)
  await prisma.oAuthClient.update({ ...clientRow(context), data: { optionalScopes: ['acct:team:read'] } })
  expect((await request(service, 'GET', path, { token: context.token })).body.code).toBe('insufficient_scope')
})

test('the token has no access to another team and never makes a member an owner', async () => {
  const { token, team } = await createMachine()
  const other = await createOwnedTeam(database)
  expect((await request(service, 'GET', `/api/v1/teams/${other.team.slug}`, { token })).body.code).toBe('team_forbidden')
  const { body } = await request(service, 'POST', `/api/v1/teams/${team.slug}/invitations`, {
    token,
    body: { email: 'someone@example.test', role: 'owner' },
  })
  expect(body.code).toBe('role_required')
})

test('audit entries name the client and how it authenticated', async () => {
  const { token, team, client } = await createMachine()
  expect((await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: 'Renamed' } })).status).toBe(200)
  const { actorKind, authenticationMethod, actorName, credentialId } = await prisma.auditEntry.findFirstOrThrow({
    where: { teamId: team.id, action: 'updateTeam' },
  })
  expect({ actorKind, authenticationMethod, actorName, credentialId }).toEqual({
    actorKind: 'team',
    authenticationMethod: 'client',
    actorName: client.name,
    credentialId: client.id,
  })
})
