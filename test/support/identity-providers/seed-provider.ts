import { randomUUID } from 'node:crypto'
import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import { encryptClientSecret } from '../../../schema/identity-providers/stored-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import type { TestService } from '../service/service.ts'
import { secretKey } from '../service/test-settings.ts'

/** The client secret of `seedProvider`. */
export const seededSecret = 'the secret of the client'

/** Adds an OpenID provider to a team, without a request to its issuer, and returns its identifier. */
export async function seedProvider(
  { database }: Pick<TestService, 'database'>,
  { id: teamId }: Pick<Team, 'id'>,
  changes: Partial<IdentityProvider> = {},
): Promise<string> {
  const id = randomUUID()
  const clientSecret = encryptClientSecret({ deriveSecret: secretDeriver(secretKey) }, seededSecret, id)
  const data = { id, teamId, kind: 'oidc', name: 'Acme', issuer: 'https://idp.example.com', clientId: 'client-1', clientSecret } as const
  await database.prisma.identityProvider.create({ data: { ...data, ...changes } })
  return id
}
