import type { User } from '../../../prisma/generated/client/client.ts'
import type { TestService } from '../service/service.ts'

/** What a provider stated at a test sign-in, as it is stored. */
export const statedAnswer = {
  subject: '00u1mx8dbwGqDGoLV5d7',
  email: 'ada@example.com',
  isEmailVerified: true,
  name: 'Ada Moreau',
  groups: null,
  claims: {
    iss: 'https://idp.example.com',
    sub: '00u1mx8dbwGqDGoLV5d7',
    aud: 'client-1',
    email: 'Ada@example.com',
    name: 'Ada Moreau',
    amr: ['pwd', 'mfa'],
  },
}

/** Stores the answer to a test sign-in of a user. */
export async function seedTest(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  { id: userId }: Pick<User, 'id'>,
  providerId: string,
  answer: object = statedAnswer,
): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + 600_000)
  const common = { purpose: 'test', browserHash: new Uint8Array(32), returnTo: '/', createdAt: now, expiresAt, answeredAt: now } as const
  const id = `_${providerId.replaceAll('-', '')}${Math.random()}`
  await database.prisma.signInRequest.create({ data: { id, providerId, userId, answer, ...common } })
}
