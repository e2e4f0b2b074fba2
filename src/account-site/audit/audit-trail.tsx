import { page } from '../framework/page.ts'
import { AuditTrailDocument } from '../generated/operations.ts'
import type { AuditTrailQuery } from '../generated/operations.ts'
import { EmptyList, PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { Table } from '../../web/components/table.tsx'
import { DateTime, useTimes } from '../../web/components/time.tsx'
import { AuditFilter, parseAuditFilter, filterVariablesOf } from './audit-filter.tsx'
import { actionLabels, changesBetween, authenticationMethodLabels } from './labels.ts'

type Entry = AuditTrailQuery['team']['auditEntries']['nodes'][number]

/** The changes to a team, filtered by action, actor and day. */
export const auditTrail = page({
  path: '/teams/:team/audit-trail',
  title: 'Audit log',
  nav: { section: 'team', label: 'Audit log', order: 80 },
  document: AuditTrailDocument,
  variables: (ctx) => ({ team: ctx.param('team'), page: pageNumberOf(ctx.query), ...filterVariablesOf(parseAuditFilter(ctx.query)) }),
  view: ({ team: { auditEntries } }, ctx) => (
    <section>
      <h2 id="audit-trail">Activity</h2>
      <AuditFilter path={ctx.path} filter={parseAuditFilter(ctx.query)} />
      {auditEntries.nodes.length > 0 ? (
        <Rows entries={auditEntries.nodes} />
      ) : (
        <EmptyList isBeyond={auditEntries.total > 0}>No activity matches these filters.</EmptyList>
      )}
      <PageLinks label="Pages of the audit log" path={ctx.path} query={ctx.query} list={auditEntries} />
    </section>
  ),
})

const Rows = ({ entries }: { entries: readonly Entry[] }) => (
  <Table labelledBy="audit-trail">
    <thead>
      <tr>
        <th scope="col">Time</th>
        <th scope="col">Person</th>
        <th scope="col">Action</th>
        <th scope="col">Target</th>
        <th scope="col">Change</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr>
          <td>
            <DateTime at={entry.at} isExact />
          </td>
          <th scope="row">
            <bdi>{entry.actorName}</bdi>{' '}
            <span class="about">{authenticationMethodLabels[entry.authenticationMethod] ?? entry.authenticationMethod}</span>
          </th>
          <td>{actionLabels[entry.action] ?? entry.action}</td>
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
    {changesBetween(before, after, useTimes()).map((change) => (
      <li>
        {change.name}: {change.before !== null && <OldValue value={change.before} isReplaced={change.after !== null} />}
        {change.after !== null && <bdi>{change.after}</bdi>}
      </li>
    ))}
  </ul>
)

const OldValue = ({ value, isReplaced }: { value: string; isReplaced: boolean }) => (
  <>
    <del>
      <bdi>{value}</bdi>
    </del>
    {isReplaced && ' → '}
  </>
)
