import type { ComponentChildren } from 'preact'
import { Address } from '../../web/components/address.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Table } from '../../web/components/lists/table.tsx'
import { DateTime, useTimes } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { AuditEntryDocument } from '../generated/operations.ts'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { listAddress } from '../table/address.ts'
import { changesBetween } from './changes.ts'
import { actionLabel } from './actions.ts'
import { Actor, authenticationMethodLabels } from './actor.tsx'
import { Sentence } from './sentence.tsx'
import { getTargetPage } from './target-page.ts'

type Entry = EntryPartsFragment

/** An entry of the audit log: the action, the changed values, and the entry as JSON. */
export const auditEntry = page({
  path: '/teams/:team/audit-trail/:entry',
  title: ({ team }) => actionLabel(team.auditEntry),
  parent: '/teams/:team/audit-trail',
  document: AuditEntryDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: ctx.param('entry') }),
  view: ({ team: { auditEntry: entry } }, ctx) => (
    <>
      <EntryDetails entry={entry} targetPage={getTargetPage(ctx, entry)} />
      <p>
        <a href={listAddress(`/teams/${ctx.param('team')}/audit-trail`, ctx)}>Back to the audit log</a>
      </p>
    </>
  ),
})

interface DetailsProps {
  entry: Entry
  /** Path of the page of the changed object, or null. */
  targetPage: string | null
  /** Further facts. */
  children?: ComponentChildren
}

/** The facts of an entry, the changed values, and the entry as JSON. */
export const EntryDetails = (props: DetailsProps) => (
  <>
    <EntryFacts {...props} />
    <Changes entry={props.entry} />
    <section>
      <details>
        <summary>Show the entry as JSON</summary>
        <pre tabIndex={0} role="region" aria-label="JSON">
          {formatJson(props.entry)}
        </pre>
      </details>
    </section>
  </>
)

const EntryFacts = ({ entry, targetPage, children }: DetailsProps) => (
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
        <Target entry={entry} targetPage={targetPage} />
      </Fact>
      {children}
    </Facts>
  </section>
)

/** The name of the changed object, as a link to its page while that exists. */
function Target({ entry, targetPage }: DetailsProps) {
  const name = <Address>{entry.subjectName ?? entry.subject}</Address>
  return targetPage === null ? name : <a href={targetPage}>{name}</a>
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
