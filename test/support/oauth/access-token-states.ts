import { randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { createOwnedTeam, createUser, join } from '../data/team.ts'
import { accessToken, createGrant } from './oauth-rows.ts'
import type { GrantWithClient } from './oauth-rows.ts'

/** An access token in one state, with the credentials of its client. */
export interface TokenInState {
  token: string
  clientId: string
  secret: string
}

interface Context {
  team: Team
  owner: User
  grant: GrantWithClient
  token: string
}
type Change = (database: OpenDatabase, context: Context) => Promise<unknown>

const past = () => new Date(Date.now() - 3_600_000)

/** What can change about an access token, its chain, grant, client, user and team, by what the token is afterwards. */
const changes: Record<string, Change> = {
  valid: () => Promise.resolve(),
  expired: async ({ prisma }, { token }) => {
    const where = { idHash: sha256(token) }
    const { payload } = await prisma.oidcModel.findUniqueOrThrow({ where })
    const exp = Math.floor(past().getTime() / 1000)
    await prisma.oidcModel.update({ where, data: { expiresAt: past(), payload: { ...Object(payload), exp } } })
  },
  deleted: ({ prisma }, { token }) => prisma.oidcModel.delete({ where: { idHash: sha256(token) } }),
  consumed: ({ prisma }, { token }) => prisma.oidcModel.update({ where: { idHash: sha256(token) }, data: { consumedAt: past() } }),
  'a refresh token': ({ prisma }, { token }) =>
    prisma.oidcModel.update({ where: { idHash: sha256(token) }, data: { kind: 'RefreshToken' } }),
  'of an ended chain': ({ prisma }, { grant }) =>
    prisma.tokenChain.updateMany({ where: { grantId: grant.id }, data: { revokedAt: past() } }),
  'of a revoked grant': ({ prisma }, { grant }) => prisma.oAuthGrant.update({ where: { id: grant.id }, data: { revokedAt: past() } }),
  'of an expired grant': ({ prisma }, { grant }) => prisma.oAuthGrant.update({ where: { id: grant.id }, data: { expiresAt: past() } }),
  'of a disabled client': ({ prisma }, { grant: { client } }) =>
    prisma.oAuthClient.update({ where: { id: client.id }, data: { disabledAt: past() } }),
  'of a disabled user': ({ prisma }, { owner }) => prisma.user.update({ where: { id: owner.id }, data: { disabledAt: past() } }),
  'of a deleted team': ({ prisma }, { team }) => prisma.team.update({ where: { id: team.id }, data: { deletedAt: past() } }),
  'of a user who left the team': ({ prisma }, { owner, team }) =>
    prisma.member.deleteMany({ where: { userId: owner.id, teamId: team.id } }),
  'of a client for another team setting': ({ prisma }, { grant: { client } }) =>
    prisma.oAuthClient.update({ where: { id: client.id }, data: { team: 'required' } }),
  'of a client registered for fewer scopes': ({ prisma }, { grant: { client } }) =>
    prisma.oAuthClient.update({ where: { id: client.id }, data: { optionalScopes: ['profile'] } }),
  'of a client without openid': ({ prisma }, { grant: { client } }) =>
    prisma.oAuthClient.update({ where: { id: client.id }, data: { requiredScopes: [] } }),
  'of a chain with fewer scopes': ({ prisma }, { grant }) =>
    prisma.tokenChain.updateMany({ where: { grantId: grant.id }, data: { scopes: ['openid', 'email', 'teams'] } }),
  'without openid': (database, context) => changePayload(database, context, { scope: 'profile email teams' }),
  'without a scope': (database, context) => changePayload(database, context, { scope: '' }),
  'with openid only': (database, context) => changePayload(database, context, { scope: 'openid' }),
  'bound to a key': (database, context) => changePayload(database, context, { jkt: 'a'.repeat(43) }),
  'for an audience': (database, context) => changePayload(database, context, { aud: 'https://api.example' }),
  'with requested claims': (database, context) => changePayload(database, context, { claims: { userinfo: { email: null } } }),
  'with a session identifier': (database, context) => changePayload(database, context, { sid: 'session', sessionUid: 'uid' }),
  'of another grant': (database, context) => changePayload(database, context, { grantId: crypto.randomUUID() }),
  'of another client': (database, context) => changePayload(database, context, { clientId: 'another-client' }),
  'of another user': (database, context) => changePayload(database, context, { accountId: crypto.randomUUID() }),
}

async function changePayload({ prisma }: OpenDatabase, { token }: Context, change: object): Promise<void> {
  const where = { idHash: sha256(token) }
  const { payload } = await prisma.oidcModel.findUniqueOrThrow({ where })
  await prisma.oidcModel.update({ where, data: { payload: { ...Object(payload), ...change } } })
}

export const tokenStates = Object.keys(changes)

/** Creates an access token, of a grant for a team, and brings it into a state of `tokenStates`. */
export async function tokenInState(database: OpenDatabase, state: string): Promise<TokenInState> {
  const { team, owner } = await createOwnedTeam(database)
  await join(database, team, await createUser(database), 'owner')
  const grant = await createGrant(database, owner, { team })
  const secret = randomBytes(32).toString('base64url')
  await database.prisma.oAuthClientSecret.create({ data: { oauthClientId: grant.client.id, hash: sha256(secret) } })
  const token = await accessToken(database, grant)
  await changes[state]?.(database, { team, owner, grant, token })
  return { token, clientId: grant.client.clientId, secret }
}
