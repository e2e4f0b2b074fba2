import type { User } from '../../../prisma/generated/client/client.ts'
import type { Authenticator } from '../browser/authenticator.ts'
import type { TestService } from '../service/service.ts'

/** Gives a user the passkey of an authenticator, without a sign-in. */
export async function createPasskeyOwner({ database, clock }: TestService, { id }: User, authenticator: Authenticator): Promise<void> {
  authenticator.belongTo(id)
  const keys = {
    credentialId: authenticator.id,
    publicKey: authenticator.publicKey(),
    counter: 0n,
    transports: ['internal'],
    isBackedUp: false,
  }
  await database.prisma.passkey.create({ data: { userId: id, name: 'Laptop', ...keys, createdAt: clock.now() } })
}
