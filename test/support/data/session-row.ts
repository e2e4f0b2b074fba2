import { randomBytes } from 'node:crypto'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Session, TrustedDevice, User } from '../../../prisma/generated/client/client.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'

/** Creates the rows of a session without signing in through a browser. */
export async function createSession({ prisma }: OpenDatabase, user: User, data: Partial<Session> = {}, expiresAt?: Date): Promise<Session> {
  const now = new Date()
  const uidHash = randomBytes(32)
  const sessionExpiresAt = expiresAt ?? new Date(now.getTime() + 86_400_000)
  await prisma.oidcModel.create({
    data: { idHash: randomBytes(32), kind: 'Session', payload: { accountId: user.id }, uidHash, expiresAt: sessionExpiresAt },
  })
  const timestamps = { createdAt: now, authenticatedAt: now, lastUsedAt: now }
  return prisma.session.create({
    data: { uidHash, userId: user.id, methods: ['pwd'], address: '192.0.2.1', userAgent: firefox, ...timestamps, ...data },
  })
}

/** Creates the row of a trusted device of which no browser has the value. */
export const createTrustedDevice = (
  { prisma }: OpenDatabase,
  { id: userId }: User,
  data: Partial<TrustedDevice> = {},
): Promise<TrustedDevice> => {
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + 30 * 86_400_000)
  const row = { userId, hash: randomBytes(32), address: '192.0.2.1', userAgent: firefox, createdAt, lastUsedAt: createdAt, expiresAt }
  return prisma.trustedDevice.create({ data: { ...row, ...data } })
}
