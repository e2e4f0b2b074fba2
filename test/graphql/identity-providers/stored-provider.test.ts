import { expect, test } from 'vitest'
import { findProvider, reencryptClientSecret } from '../../../schema/identity-providers/stored-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { seededSecret, seedProvider } from '../../support/identity-providers/seed-provider.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database } = service
const newKey = 'new-key-'.repeat(5)

test('a provider is found with its client secret and its team, until the team is deleted', async () => {
  const ports = { database, deriveSecret: secretDeriver(secretKey) }
  const { team } = await createOwnedTeam(database)
  const id = await seedProvider(service, team)
  const found = {
    id,
    teamId: team.id,
    teamSlug: team.slug,
    teamName: team.name,
    kind: 'oidc',
    clientSecret: seededSecret,
    certificates: [],
  }
  expect(await findProvider(ports, id)).toMatchObject(found)
  expect(await findProvider({ database, deriveSecret: secretDeriver(newKey) }, id)).toMatchObject({ id, clientSecret: null })
  expect(await findProvider(ports, await seedProvider(service, team, { clientSecret: null }))).toMatchObject({ clientSecret: null })
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'google', '\0']) expect(await findProvider(ports, unknown)).toBeNull()
  await database.prisma.team.update({ where: { id: team.id }, data: { deletedAt: new Date() } })
  expect(await findProvider(ports, id)).toBeNull()
})

test('a client secret is stored encrypted, for its provider alone, and can be encrypted under a new key', async () => {
  const { team } = await createOwnedTeam(database)
  const id = await seedProvider(service, team)
  const stored = await database.prisma.identityProvider.findUniqueOrThrow({ where: { id } })
  const encrypted = stored.clientSecret ?? new Uint8Array()
  expect(Buffer.from(encrypted).toString('latin1')).not.toContain(seededSecret)
  const other = await seedProvider(service, team, { clientSecret: encrypted })
  expect(await findProvider({ database, deriveSecret: secretDeriver(secretKey) }, other)).toMatchObject({ clientSecret: null })

  const rotated = { deriveSecret: secretDeriver(newKey, secretKey) }
  const again = reencryptClientSecret(rotated, encrypted, id)
  await database.prisma.identityProvider.update({ where: { id }, data: { clientSecret: again && Buffer.from(again) } })
  expect(await findProvider({ database, deriveSecret: secretDeriver(newKey) }, id)).toMatchObject({ clientSecret: seededSecret })
})
