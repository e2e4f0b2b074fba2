import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { loadBatched } from '../../lists/batch.ts'
import { ClientType } from '../clients/client.ts'
import type { FailureCause } from './failure-causes.ts'
import { failureCauses, isFailureCause, describeFailure } from './failure-causes.ts'

/** Refused requests of a client with the same cause and value, in the last 7 days. */
interface Failure {
  cause: FailureCause
  sent: string
  count: number
  lastAt: string
  sentence: string
}

const CauseType = enumType<FailureCause>('AuthorizationFailureCause', 'Why a request of an OAuth client was refused.', failureCauses)

const FailureType = builder.objectRef<Failure>('AuthorizationFailure').implement({
  description: 'Requests of a client that were refused for one reason in the last 7 days. They contain no data of users.',
  fields: (t) => ({
    cause: t.expose('cause', { type: CauseType, description: 'The cause.' }),
    message: t.exposeString('sentence', { description: 'What was wrong, in a sentence for the developer of the client.' }),
    sent: t.exposeString('sent', { description: 'What the client sent, as far as it explains the cause. Can be empty.' }),
    count: t.exposeInt('count', { description: 'How many there were.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When the last one was.' }),
  }),
})

const failuresOfClients = statement<
  Omit<Failure, 'cause' | 'sentence'> & { clientId: string; cause: string },
  [ids: readonly string[], now: Date]
>(
  'failures_of_clients',
  `SELECT i.id AS "clientId", f.* FROM unnest($1::uuid[]) AS i(id) CROSS JOIN LATERAL (
     SELECT cause, sent, sum(count)::int AS count, max(last_at) AS "lastAt" FROM authorization_failures
     WHERE oauth_client_id = i.id AND last_at > $2::timestamptz - interval '7 days' GROUP BY cause, sent
     ORDER BY max(last_at) DESC, cause, sent LIMIT 100) f
   ORDER BY i.id, f."lastAt" DESC, f.cause, f.sent`,
)

builder.objectField(ClientType, 'failures', (t) =>
  t.field({
    description: 'The requests of the client that were refused in the last 7 days, by cause, latest first.',
    type: [FailureType],
    complexity: { field: 1, multiplier: 20 },
    resolve: async (client, _, context) => {
      const load = async (ids: string[]) =>
        Map.groupBy(await failuresOfClients(context.database.pool, ids, context.now()), ({ clientId }) => clientId)
      const rows = (await loadBatched(context, 'failures of clients', client.id, load)) ?? []
      return rows.flatMap((row) => {
        const { cause, sent } = row
        return isFailureCause(cause) ? [{ ...row, cause, sentence: describeFailure(cause, sent, client) }] : []
      })
    },
  }),
)
