import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import type { NoticeContext } from '../../core/notices/send-notice.ts'
import type { Ports } from '../../core/ports.ts'
import type { AccessibleTeam } from '../../core/principals.ts'
import type { ClientWithSecrets } from '../clients/client.ts'
import { insertClient } from '../clients/write-client.ts'
import type { NewClient } from '../clients/write-client.ts'
import { requireOwnName } from './name-rules.ts'
import { requireRoom } from './own-client.ts'

/** The team that owns a client. */
export type OwnerTeam = Pick<AccessibleTeam, 'id' | 'name' | 'slug'>

/** Notifies the owners of the team of a new credential. */
export const notifyOwners = (
  transaction: Transaction,
  context: NoticeContext,
  { id, name: team, slug }: OwnerTeam,
  kind: 'app-registered' | 'app-secret-created',
  { name, clientId }: ClientWithSecrets,
) => sendNoticeToOwners(transaction, context, id, kind, { team, slug, name, clientId })

interface TeamRegistration extends Pick<NewClient, 'registration' | 'state' | 'hasNoSecret'> {
  /** Null for a registration that an owner entered. */
  source: 'registration' | null
}

/** Registers a client of a team, and returns it with its secret, which is stored as a hash. Throws if the team has too many clients. */
export async function registerClientOfTeam(
  transaction: Transaction,
  context: NoticeContext & Pick<Ports, 'brandName'>,
  team: OwnerTeam,
  { registration, ...origin }: TeamRegistration,
) {
  await lockTeam(transaction, team.id)
  await Promise.all([requireRoom(transaction, team.id), requireOwnName(transaction, context, { ...registration, ownerTeamId: team.id })])
  const result = insertClient(transaction, context, { registration, ownerTeamId: team.id, ...origin })
  await notifyOwners(transaction, context, team, 'app-registered', result.client)
  return result
}
