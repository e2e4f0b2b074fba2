import { Address } from '../../web/components/address.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Table } from '../../web/components/lists/table.tsx'
import { DateTime, useTimes } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { AuditEntryDocument } from '../generated/operations.ts'
import type { AuditEntryQuery } from '../generated/operations.ts'
import { listAddress } from '../table/address.ts'
import { changesBetween } from './changes.ts'
import { actionLabel } from './actions.ts'
import { Actor, authenticationMethodLabels } from './actor.tsx'
import { Sentence } from './sentence.tsx'
import { getTargetPage } from './target-page.ts'

type Entry = AuditEntryQuery['team']['auditEntry']

/** An entry of the audit log: the action, the changed values, and the entry as JSON. */
export const auditEntry = page({
  path: '/teams/:team/audit-trail/:entry',
  title: ({ team }) => actionLabel(team.auditEntry),
  parent: '/teams/:team/audit-trail',
  document: AuditEntryDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: ctx.param('entry') }),
  view: ({ team: { auditEntry: entry } }, ctx) => (
    <>
      <EntryFacts entry={entry} ctx={ctx} />
      <Changes entry={entry} />
      <section>
        <details>
          <summary>Show the entry as JSON</summary>
          <pre tabIndex={0} role="region" aria-label="JSON">
            {formatJson(entry)}
          </pre>
        </details>
      </section>
      <p>
        <a href={listAddress(`/teams/${ctx.param('team')}/audit-trail`, ctx)}>Back to the audit log</a>
      </p>
    </>
  ),
})

const EntryFacts = ({ entry, ctx }: { entry: Entry; ctx: PageContext }) => (
  <section>
    <p>
      <Actor entry={entry} /> <Sentence entry={entry} />.
    </p>
    <Facts>
      <Fact name="Time">
        <DateTime at={entry.at} />
      </Fact>
      <Fact name="Actor">
        <Actor entry={entry} />
        <span class="about">{authenticationMethodLabels[entry.authenticationMethod]}</span>
      </Fact>
      {entry.reason !== null && <Fact name="Reason">{entry.reason}</Fact>}
      <Fact name="Target">
        <Target entry={entry} ctx={ctx} />
      </Fact>
    </Facts>
  </section>
)

/** The name of the changed object, as a link to its page while that exists. */
function Target({ entry, ctx }: { entry: Entry; ctx: PageContext }) {
  const name = <Address>{entry.subjectName ?? entry.subject}</Address>
  const path = getTargetPage(ctx, entry)
  return path === null ? name : <a href={path}>{name}</a>
}

function Changes({ entry: { before, after } }: { entry: Entry }) {
  const changes = changesBetween(before, after, useTimes())
  if (changes.length === 0) return null
  return (
    <section>
      <h2 id="changes">Changes</h2>
      <Table labelledBy="changes">
        <thead>
          <tr>
            <th scope="col">Property</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr>
              <th scope="row">{change.name}</th>
              <td data-label="Before">{change.before}</td>
              <td data-label="After">{change.after}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  )
}

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

const formatJson = ({ id, at, actionName: action, actorName, clientName, reason, subject, subjectName, before, after }: Entry) =>
  JSON.stringify(
    {
      id,
      at,
      action,
      actor: actorName,
      client_name: clientName,
      ...(reason !== null && { reason }),
      subject,
      subject_name: subjectName,
      before: parsed(before),
      after: parsed(after),
    },
    null,
    2,
  )
