import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import type { Invitation } from '../../prisma/generated/client/client.ts'
import type { Context } from '../core/context.ts'
import type { Ports } from '../core/ports.ts'
import { secretWithHash, sha256 } from '../core/sha256.ts'

const dayMilliseconds = 24 * 3_600_000

/**
 * Returns the secret of an invitation's link. It is derived from a random nonce and SECRET_KEY instead of stored, so that neither the
 * database nor the outbox contains a value with which the invitation can be accepted.
 */
export const invitationSecret = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, nonce: Uint8Array): string =>
  deriveSecret('invitation', nonce).toString('base64url')

/** Returns the secret of a stored invitation; undefined if another SECRET_KEY created it. */
export const storedInvitationSecret = (
  { deriveSecret }: Pick<Ports, 'deriveSecret'>,
  { nonce, tokenHash }: Pick<Invitation, 'nonce' | 'tokenHash'>,
): string | undefined => secretWithHash(deriveSecret.accepted('invitation', nonce), tokenHash)

type InvitationData = Pick<
  Invitation,
  | 'teamId'
  | 'email'
  | 'role'
  | 'allApplications'
  | 'applications'
  | 'invitedById'
  | 'invitedByTokenId'
  | 'invitedByMachineId'
  | 'directoryUserId'
>

/**
 * Writes a new invitation, or renews `pending`, and queues its mail in the same transaction. The previous link stops working.
 */
export async function sendInvitation(
  transaction: Transaction,
  context: Context,
  data: InvitationData,
  pending?: Pick<Invitation, 'id' | 'createdAt'>,
): Promise<Invitation> {
  const now = context.now()
  const nonce = new Uint8Array(randomBytes(16))
  const renewed = {
    ...data,
    nonce,
    tokenHash: sha256(invitationSecret(context, nonce)),
    sentAt: now,
    expiresAt: new Date(now.getTime() + context.invitationDays * dayMilliseconds),
    expiryRecordedAt: null,
  }
  const { id, createdAt } = pending ?? { id: randomUUID(), createdAt: now }
  if (pending) transaction.defer(updateRows(transaction, 'invitations', { id }, renewed))
  else transaction.defer(insertRow(transaction, 'invitations', { id, createdAt, ...renewed }))
  await context.sendMail(transaction, { kind: 'invitation', invitationId: id, nonce: Buffer.from(nonce).toString('base64url') })
  return { id, createdAt, ...renewed, status: 'pending', acceptedById: null, answeredAt: null }
}
