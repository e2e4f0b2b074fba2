import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../../prisma/connection/availability.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { Changes, Subscription } from '../core/cancellation/subscription.ts'
import { invalid } from '../core/errors.ts'
import { globalId, parseIdentifier } from '../core/global-id.ts'
import { authorize } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { eventParts, readableTypes } from './catalogue.ts'
import { EventTypeEnum } from './event.ts'
import { AuditEntryType, readAuditEntries } from '../audit/audit-entry.ts'
import { AuditActionType, toListedAction } from '../audit/audit-enums.ts'
import { findCurrentPosition, findEntries, findEntryPosition } from './stream.ts'
import type { EventPosition, StreamEntry } from './stream.ts'

/** Milliseconds between two reads while an event waits for transactions that began before it. */
const settleMilliseconds = 20

/** An event of the subscription. `id` is the identifier in the event stream: the global id of the audit entry. */
type TeamEvent = StreamEntry & { entryId: string }

const TeamEventType = builder.objectRef<TeamEvent>('TeamEvent').implement({
  description: 'A committed change in a team.',
  fields: (t) => ({
    entryId: t.exposeID('entryId', { describedBy: 'AuditEntry.id' }),
    entry: t.field({
      type: AuditEntryType,
      description: 'The audit entry, with the actor and the old and new values.',
      resolve: ({ entryId }, _, { database }) => database.prisma.auditEntry.findUniqueOrThrow({ where: { id: entryId } }),
    }),
    at: t.expose('at', { type: 'DateTime', describedBy: 'AuditEntry.at' }),
    action: t.field({
      type: AuditActionType,
      nullable: true,
      description: 'What was done; null for an action that this version of the service does not know.',
      resolve: ({ action }, _, __, { returnType }) => toListedAction(action, returnType),
    }),
    actionName: t.exposeString('action', { describedBy: 'AuditEntry.action' }),
    subject: t.exposeString('subject', { describedBy: 'AuditEntry.subject' }),
  }),
})

builder.subscriptionType({
  description: 'Events that a client receives as they happen, as server-sent events: send `Accept: text/event-stream`.',
})

builder.subscriptionField('teamEvents', (t) =>
  t.field({
    description:
      'The changes made in a team, each once and in the order of their transactions, after they are committed. The stream ends ' +
      'with an error when the credential loses access.',
    type: TeamEventType,
    requires: readAuditEntries,
    args: {
      team: t.arg.string({ required: true, description: 'The team’s public slug.' }),
      after: t.arg.id({
        description:
          'The `entryId` of the last event that was received, or the `id` of its entry. The stream continues after it. `Last-Event-ID` takes precedence. Default: now.',
      }),
      types: t.arg({ type: [EventTypeEnum], description: 'Only changes that are events of these types. Default: all changes.' }),
    },
    subscribe: async (_, { team, after, types }, context) => {
      const { subscription } = context
      if (!subscription) throw new Error('this interface has no subscriptions')
      const { id } = await requireTeam(context, team)
      const selectedTypes = types && (await readableTypes(context, team, types))
      const actions = selectedTypes && new Set(eventParts.flatMap(({ type, action }) => (selectedTypes.has(type) ? action : [])))
      const changes = await subscription.watchTeam(id, subscription.signal)
      const start = await findStart(context, id, subscription.lastEventId ?? after ?? null)
      return follow(subscription, { slug: team, teamId: id, changes, actions, ...start })
    },
    resolve: (event) => event,
  }),
)

async function requireTeam(context: Context, slug: string) {
  const teamAccess = await requireTeamAccess(context, slug)
  authorize(context, readAuditEntries, teamAccess)
  return teamAccess.team
}

interface Start {
  position: EventPosition
  /** The snapshot at the start of the subscription, whose events are excluded, for a subscriber without a last event; otherwise null. */
  snapshot: string | null
}

async function findStart({ database: { pool } }: Context, teamId: string, after: string | null): Promise<Start> {
  const entryId = after === null ? '' : parseIdentifier(after, ['AuditEntry'])
  const [position] =
    after === null ? await findCurrentPosition(pool) : isIdentifier(entryId) ? await findEntryPosition(pool, teamId, entryId) : []
  if (!position) throw invalid({ after: ['The selected after is invalid.'] })
  return { position, snapshot: 'snapshot' in position ? String(position.snapshot) : null }
}

/** Yields the events of a team, each with the context in which the caller may see it. Ends with the subscription. */
async function* follow({ signal, renew }: Subscription<Context>, { slug, teamId, changes, actions, position, snapshot }: Following) {
  const check = async () => {
    const context = await renew()
    await requireTeam(context, slug)
    return context
  }
  while (!signal.aborted) {
    let wait = () => changes.next()
    try {
      const { pool } = (await check()).database
      const entries = await findEntries(pool, teamId, position.transactionId, position.at, position.id, snapshot)
      for (const entry of entries) {
        if (!entry.isSettled) break
        position = entry
        if (actions?.has(entry.action) === false) continue
        const context = await check()
        yield { ...entry, entryId: entry.id, id: globalId({ type: AuditEntryType.name, key: [entry.id] }), context }
      }
      // The next read waits for no notification: there may be more events, or the unsettled one is settled soon.
      if (entries.length > 0) wait = () => delay(entries.at(-1)?.isSettled ? 0 : settleMilliseconds)
    } catch (error) {
      // Nothing was delivered: when the database is available again, the events are read from the same position.
      if (!isUnavailable(error)) throw error
    }
    await wait()
  }
}

interface Following extends Start {
  slug: string
  teamId: string
  changes: Changes
  /** The actions of the selected types; null for all. */
  actions: ReadonlySet<string> | null | undefined
}
