import { Address } from '../../web/components/address.tsx'
import { DateTime, useTimes } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { AuditTrailQuery } from '../generated/operations.ts'
import { addressWith, dayRange, variablesOf } from '../table/address.ts'
import { defineTable } from '../table/declaration.ts'
import { actionLabel, actionLabels, changesBetween, authenticationMethodLabels } from './labels.ts'
import type { Change } from './labels.ts'

type Entry = AuditTrailQuery['team']['auditEntries']['nodes'][number]

/** The changes to a team. */
export const auditTable = defineTable({
  noun: ['entry', 'entries'],
  nameOf: (entry: Entry) => `${actionLabel(entry)}: ${entry.subjectName ?? entry.subject}`,
  search: 'Name of the target',
  filters: {
    action: { label: 'Action', options: actionLabels },
    actor: { label: 'Person' },
    from: { label: 'From', isDay: true },
    to: { label: 'To', isDay: true },
  },
  columns: [
    { label: 'Action', phone: 'name', sort: 'ACTION', cell: (entry) => actionLabel(entry) },
    { label: 'Target', phone: 'state', cell: ({ subjectName, subject }) => <Address>{subjectName ?? subject}</Address> },
    {
      label: 'Person',
      phone: 'detail',
      sort: 'ACTOR',
      cell: ({ actorName, authenticationMethod }) => (
        <>
          <bdi>{actorName}</bdi> <span class="about">{authenticationMethodLabels[authenticationMethod]}</span>
        </>
      ),
    },
    { label: 'Change', phone: 'detail', cell: (entry) => <Changes {...entry} /> },
    { label: 'Time', phone: 'state', sort: 'TIME', descendsFirst: true, cell: ({ at }) => <DateTime at={at} /> },
  ],
  sort: 'TIME',
  isDescending: true,
  empty: 'No activity yet. Changes to the team appear here.',
  menu: ({ action, actorName }, { path, query }) => (
    <>
      {action && Object.hasOwn(actionLabels, action) && <a href={addressWith(path, query, { action })}>Show only this action</a>}
      <a href={addressWith(path, query, { actor: actorName })}>Show only this person</a>
    </>
  ),
})

/** The variables of the audit log that matches the address. Days are in UTC. */
export function auditVariables({ param, query }: PageContext) {
  const { from, to, ...list } = variablesOf(auditTable, query)
  const days = dayRange(from, to)
  return { team: param('team'), ...list, since: days.from && startOf(days.from), until: days.to && startOf(days.to, 1) }
}

/** The start of a day, or of one that follows `days` later. */
const startOf = (day: string, days = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString()

const Changes = ({ before, after }: Pick<Entry, 'before' | 'after'>) => (
  <ul class="changes">
    {changesBetween(before, after, useTimes()).map((change) => (
      <li>
        {isLong(change) ? (
          <details class="fold">
            <summary>{change.name}</summary>
            <Values {...change} />
          </details>
        ) : (
          <>
            {change.name}: <Values {...change} />
          </>
        )}
      </li>
    ))}
  </ul>
)

/** Whether the values, such as many permissions, would make the row much higher than others. */
const isLong = ({ before, after }: Change) => `${before ?? ''}${after ?? ''}`.length > 120

const Values = ({ before, after }: Pick<Change, 'before' | 'after'>) => (
  <>
    {before !== null && <OldValue value={before} isReplaced={after !== null} />}
    {after !== null && <Address>{after}</Address>}
  </>
)

const OldValue = ({ value, isReplaced }: { value: string; isReplaced: boolean }) => (
  <>
    <del>
      <Address>{value}</Address>
    </del>
    {isReplaced && ' → '}
  </>
)
