import { page } from '../declaration.ts'
import { AuditTrailDocument } from '../generated/operations.ts'
import type { AuditTrailQuery } from '../generated/operations.ts'
import { NoRows, PageLinks, pageOf } from '../page-links.tsx'
import { Table } from '../table.tsx'
import { Moment } from '../time.tsx'
import { AuditFilter, askedOf, filterOf } from './audit-filter.tsx'
import { actionWords, differences, viaWords } from './audit-words.ts'

type Entry = AuditTrailQuery['team']['auditEntries']['nodes'][number]

/** The audit trail of a team: who changed what. */
export const auditTrail = page({
  path: '/teams/:team/audit-trail',
  title: 'Audit trail',
  nav: { in: 'team', label: 'Audit trail', order: 80 },
  document: AuditTrailDocument,
  variables: (visit) => ({ team: visit.param('team'), page: pageOf(visit.query), ...filterOf(askedOf(visit.query)) }),
  view: ({ team: { auditEntries } }, visit) => (
    <section>
      <h2 id="audit-trail">Who changed what</h2>
      <AuditFilter path={visit.path} asked={askedOf(visit.query)} />
      {auditEntries.nodes.length > 0 ? (
        <Rows entries={auditEntries.nodes} />
      ) : (
        <NoRows isBeyond={auditEntries.total > 0}>Nothing matches what you asked for.</NoRows>
      )}
      <PageLinks label="Pages of the audit trail" path={visit.path} query={visit.query} list={auditEntries} />
    </section>
  ),
})

const Rows = ({ entries }: { entries: readonly Entry[] }) => (
  <Table labelledBy="audit-trail">
    <thead>
      <tr>
        <th scope="col">When</th>
        <th scope="col">Who</th>
        <th scope="col">What</th>
        <th scope="col">Of whom or what</th>
        <th scope="col">Change</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr>
          <td>
            <Moment at={entry.at} />
          </td>
          <th scope="row">
            <bdi>{entry.actorName}</bdi> <span class="about">{viaWords[entry.via] ?? entry.via}</span>
          </th>
          <td>{actionWords[entry.action] ?? entry.action}</td>
          <td class="words">
            <bdi>{entry.subjectName ?? entry.subject}</bdi>
          </td>
          <td>
            <Changes {...entry} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)

const Changes = ({ before, after }: Pick<Entry, 'before' | 'after'>) => (
  <ul class="changes">
    {differences(before, after).map((change) => (
      <li>
        {change.name}: {change.before !== null && <Old value={change.before} isReplaced={change.after !== null} />}
        {change.after !== null && <bdi>{change.after}</bdi>}
      </li>
    ))}
  </ul>
)

const Old = ({ value, isReplaced }: { value: string; isReplaced: boolean }) => (
  <>
    <del>
      <bdi>{value}</bdi>
    </del>
    {isReplaced && ' → '}
  </>
)
