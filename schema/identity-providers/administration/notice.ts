import type { IdentityProvider, Team } from '../../../prisma/generated/client/client.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { Context } from '../../core/context.ts'
import type { Notices } from '../../core/notices/notices.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'

/** Notifies the owners of a team of a change of one of its identity providers. */
export const sendProviderNotice = (
  transaction: Transaction,
  context: Context,
  { name: team, slug }: Pick<Team, 'name' | 'slug'>,
  { id: providerId, teamId, name }: IdentityProvider,
  what: Notices['identity-provider']['what'],
): Promise<void> => sendNoticeToOwners(transaction, context, teamId, 'identity-provider', { team, slug, name, providerId, what })
