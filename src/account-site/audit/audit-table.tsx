import { Avatar } from '../../web/components/avatar.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { addressWith, rowAddress, dayRange, readListVariables } from '../table/address.ts'
import { defineTable } from '../table/declaration.ts'
import { actionLabel, actionRows, isTeamAction } from './actions.ts'
import { Sentence } from './sentence.tsx'

type Entry = EntryPartsFragment & { actor?: { pictureUrl: string | null } | null }

const actionLabels = Object.fromEntries(Object.entries(actionRows).map(([action, { label }]) => [action, label]))

/** The table of the changes to a team. */
export const auditTable = defineTable({
  noun: ['entry', 'entries'],
  getName: (entry: Entry) => `${actionLabel(entry)}: ${entry.subjectName ?? entry.subject}`,
  search: 'Target',
  filters: {
    action: { label: 'Action', options: actionLabels },
    actor: { label: 'Person' },
    from: { label: 'From', isDay: true },
    to: { label: 'To', isDay: true },
  },
  columns: [
    { label: 'Person', phone: 'name', sort: 'ACTOR', cell: (entry) => <Actor entry={entry} /> },
    {
      label: 'Action',
      phone: 'state',
      sort: 'ACTION',
      cell: (entry, ctx) => (
        <a class="sentence" href={rowAddress(ctx, entry.id)}>
          <Sentence entry={entry} />
        </a>
      ),
    },
    { label: 'Time', phone: 'name', sort: 'TIME', descendsFirst: true, cell: (entry) => <Time {...entry} /> },
  ],
  sort: 'TIME',
  isDescending: true,
  empty: 'No activity yet. Changes to the team appear here.',
  menu: ({ action, actorName }, { path, query }) => (
    <>
      {isTeamAction(action) && <a href={addressWith(path, query, { action })}>Show only this action</a>}
      <a href={addressWith(path, query, { actor: actorName })}>Show only this person</a>
    </>
  ),
})

/** Returns the variables of the audit log that match the address. Days are in UTC. */
export function auditVariables({ param, query }: PageContext) {
  const { from, to, action, ...list } = readListVariables(auditTable, query)
  const days = dayRange(from, to)
  return {
    team: param('team'),
    ...list,
    action: isTeamAction(action) ? action : null,
    since: days.from && getStart(days.from),
    until: days.to && getStart(days.to, 1),
  }
}

/** Returns the start of a day, or of the day that is `days` later. */
const getStart = (day: string, days = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString()

/** The instant, or on a phone, which has less room, the time since then. */
const Time = ({ at }: Pick<Entry, 'at'>) => (
  <>
    <span class="wide">
      <DateTime at={at} />
    </span>
    <span class="narrow">
      <RelativeTime at={at} />
    </span>
  </>
)

const Actor = ({ entry: { actorKind, actorName, actor } }: { entry: Entry }) => (
  <span class="who">
    {actorKind === 'USER' && <Avatar of="person" size="small" name={actorName} picture={actor?.pictureUrl} />} <bdi>{actorName}</bdi>{' '}
    {kinds[actorKind] !== undefined && <span class="about">{kinds[actorKind]}</span>}
  </span>
)

/** Labels of actors that are not people. */
const kinds: Readonly<Partial<Record<Entry['actorKind'], string>>> = { TEAM: 'Team token', OPERATOR: 'Operator' }
