import { randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { OAuthClient, OAuthGrant, Team, User } from '../../../prisma/generated/client/client.ts'
import { oauthScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { unique } from '../data/team.ts'

// Creates grants and access tokens directly in the database, for tests that do not need the authorization flow.

const hour = 3_600_000

export type GrantWithClient = OAuthGrant & { client: OAuthClient }

type GrantOptions = Partial<Pick<OAuthGrant, 'declinedScopes' | 'createdAt' | 'expiresAt'>> & { team?: Team; scopes?: readonly Scope[] }

/** Creates a grant of the user for a new client that is registered for every scope. Default: every scope, no team. */
export const createGrant = ({ prisma }: OpenDatabase, user: User, { team, scopes = oauthScopes, ...rest }: GrantOptions = {}) =>
  prisma.oAuthGrant.create({
    data: {
      user: { connect: { id: user.id } },
      client: {
        create: {
          clientId: unique('client'),
          name: 'Dashboard',
          redirectUris: ['https://app.example/callback'],
          confidential: true,
          grantTypes: ['authorization_code', 'refresh_token'],
          requiredScopes: ['openid'],
          optionalScopes: oauthScopes.filter((scope) => scope !== 'openid'),
          team: 'optional',
        },
      },
      ...(team && { team: { connect: { id: team.id } } }),
      scopes: [...scopes],
      expiresAt: new Date(Date.now() + 365 * 24 * hour),
      ...rest,
    },
    include: { client: true },
  })

interface AccessTokenOptions {
  scopes?: readonly string[]
  expiresAt?: Date
  /** Thumbprint of the key to which the token is bound. */
  jkt?: string
  /** The resource to which the token is limited. */
  aud?: string
}

/** Creates an access token in a chain of its own and returns its value. Default: every scope of the grant, valid for one hour. */
export async function accessToken(
  { prisma }: OpenDatabase,
  { id: grantId, userId: accountId, scopes: granted, client: { clientId } }: GrantWithClient,
  { scopes = granted, expiresAt = new Date(Date.now() + hour), jkt, aud }: AccessTokenOptions = {},
): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const seconds = (time: Date) => Math.floor(time.getTime() / 1000)
  const times = { iat: seconds(new Date()), exp: seconds(expiresAt) }
  const payload = {
    ...times,
    accountId,
    clientId,
    grantId,
    scope: scopes.join(' '),
    gty: 'authorization_code',
    ...(jkt && { jkt }),
    ...(aud && { aud }),
  }
  const chain = { create: { grantId, scopes: granted } }
  await prisma.oidcModel.create({ data: { idHash: sha256(value), kind: 'AccessToken', payload, chain, expiresAt } })
  return value
}
