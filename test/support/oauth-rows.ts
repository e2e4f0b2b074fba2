import { randomBytes } from 'node:crypto'
import type { Database } from '../../prisma/client.ts'
import type { OAuthClient, OAuthGrant, Team, User } from '../../prisma/generated/client/client.ts'
import { isScope, scopes as catalogue } from '../../schema/scopes.ts'
import type { Scope } from '../../schema/scopes.ts'
import { sha256 } from '../../schema/secret.ts'
import { unique } from './team.ts'

// What the authorization server writes, for tests of what is behind it.

const everyScope = Object.keys(catalogue).filter(isScope)
const hour = 3_600_000

export type GrantWithClient = OAuthGrant & { client: OAuthClient }

type GrantOptions = Partial<Pick<OAuthGrant, 'declinedScopes' | 'createdAt' | 'expiresAt'>> & { team?: Team; scopes?: readonly Scope[] }

/** What a person allowed a client of its own, which is registered for every scope: every scope and no team unless told. */
export const createGrant = ({ prisma }: Database, user: User, { team, scopes = everyScope, ...rest }: GrantOptions = {}) =>
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
          optionalScopes: everyScope.filter((scope) => scope !== 'openid'),
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
  /** Thumbprint of the key it is bound to. */
  jkt?: string
}

/** An access token of a grant: its value; every scope of the grant and an hour unless told. */
export async function accessToken(
  { prisma }: Database,
  { id: grantId, userId: accountId, scopes: granted, client: { clientId } }: GrantWithClient,
  { scopes = granted, expiresAt = new Date(Date.now() + hour), jkt }: AccessTokenOptions = {},
): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  const payload = { accountId, clientId, grantId, scope: scopes.join(' '), gty: 'authorization_code', ...(jkt && { jkt }) }
  await prisma.oAuthArtifact.create({ data: { idHash: sha256(value), kind: 'AccessToken', payload, grantId, expiresAt } })
  return value
}
