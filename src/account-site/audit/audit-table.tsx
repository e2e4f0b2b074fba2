import { Avatar } from '../../web/components/avatar.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { AuditTrailQuery } from '../generated/operations.ts'
import { addressWith, dayRange, rowAddress, readListVariables } from '../table/address.ts'
import { defineTable } from '../table/declaration.ts'
import { actionLabel, actionRows, isTeamAction } from './actions.ts'
import { Actor } from './actor.tsx'
import { Sentence } from './sentence.tsx'
import { getTargetPage } from './target-page.ts'

type Entry = AuditTrailQuery['team']['auditEntries']['nodes'][number]

export const actionLabels = Object.fromEntries(Object.entries(actionRows).map(([action, { label }]) => [action, label]))

/** The table of the changes to a team. */
export const auditTable = defineTable({
  noun: ['entry', 'entries'],
  getName: (entry: Entry) => `${actionLabel(entry)}: ${entry.subjectName ?? entry.subject}`,
  search: 'Target',
  filters: {
    action: { label: 'Action', options: actionLabels },
    actor: { label: 'Actor' },
    user: { label: 'User ID', isFromLink: true },
    subject: { label: 'Object ID', isFromLink: true },
    from: { label: 'From', isDay: true },
    to: { label: 'To', isDay: true },
  },
  columns: [
    { label: 'Actor', phone: 'name', sort: 'ACTOR', cell: (entry) => <Who entry={entry} /> },
    {
      label: 'Action',
      phone: 'state',
      sort: 'ACTION',
      cell: (entry, ctx) => (
        <span class="sentence">
          <Sentence entry={entry} targetPage={getTargetPage(ctx, entry)} />
        </span>
      ),
    },
    {
      label: 'Time',
      phone: 'name',
      sort: 'TIME',
      descendsFirst: true,
      cell: (entry, ctx) => (
        <a class="entry" href={rowAddress(ctx, entry.id)}>
          <EntryTime {...entry} />
        </a>
      ),
    },
  ],
  sort: 'TIME',
  isDescending: true,
  empty: 'No activity yet. Changes to the team appear here.',
  menu: ({ action, actor, actorName, subject }, { path, query }) => (
    <>
      {isTeamAction(action) && <a href={addressWith(path, query, { action })}>Show only this action</a>}
      {actor ? (
        <a href={addressWith(path, query, { user: actor.userId })}>Show only this person</a>
      ) : (
        <a href={addressWith(path, query, { actor: actorName })}>Show only this actor</a>
      )}
      <a href={addressWith(path, query, { subject })}>Show only this object</a>
    </>
  ),
})

/** Returns the variables of the audit log that match the address. */
export function auditVariables({ param, query }: PageContext) {
  const { from, to, action, actor, user, ...list } = readListVariables(auditTable, query)
  return {
    team: param('team'),
    ...list,
    ...readPeriod(from, to),
    actor: user ?? actor,
    action: isTeamAction(action) ? action : null,
  }
}

/** Returns the instants between which the entries of these days are. Days are in UTC. */
export function readPeriod(from: string | null, to: string | null) {
  const days = dayRange(from, to)
  return { since: days.from && getStart(days.from), until: days.to && getStart(days.to, 1) }
}

/** Returns the start of a day, or of the day that is `days` later. */
const getStart = (day: string, days = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString()

/** The instant, or on a phone, which has less room, the time since then. */
export const EntryTime = ({ at }: Pick<Entry, 'at'>) => (
  <>
    <span class="wide">
      <DateTime at={at} />
    </span>
    <span class="narrow">
      <RelativeTime at={at} />
    </span>
  </>
)

const Who = ({ entry }: { entry: Entry }) => (
  <span class="who">
    {entry.actorKind === 'USER' && <Avatar of="person" size="small" name={entry.actorName} picture={entry.actor?.pictureUrl} />}{' '}
    <span>
      <Actor entry={entry} />
    </span>
  </span>
)
