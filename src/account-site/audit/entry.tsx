import type { AuditSubject } from '../../../schema/core/audit/actions.ts'
import { Address } from '../../web/components/address.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Table } from '../../web/components/table.tsx'
import { DateTime, useTimes } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { AuditEntryDocument } from '../generated/operations.ts'
import type { AuditEntryQuery } from '../generated/operations.ts'
import { listAddress } from '../table/address.ts'
import { changesBetween } from './changes.ts'
import { actionLabel, authenticationMethodLabels } from './actions.ts'
import { Sentence } from './sentence.tsx'

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
      <EntryFacts entry={entry} team={`/teams/${ctx.param('team')}`} />
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

const EntryFacts = ({ entry, team }: { entry: Entry; team: string }) => (
  <section>
    <p>
      <bdi>{entry.actorName}</bdi> <Sentence entry={entry} />.
    </p>
    <Facts>
      <Fact name="Time">
        <DateTime at={entry.at} />
      </Fact>
      <Fact name="Person">
        <bdi>{entry.actorName}</bdi>
        <span class="about">{authenticationMethodLabels[entry.authenticationMethod]}</span>
      </Fact>
      <Fact name="Target">
        <Target entry={entry} team={team} />
      </Fact>
    </Facts>
  </section>
)

/** Folders of the pages of subjects, whose last segment is the identifier; null for a type without page. */
export const subjectPages: Readonly<Record<AuditSubject, string | null>> = {
  Team: null,
  TeamMember: 'members',
  TeamInvitation: null,
  TeamInvoice: 'invoices',
  TeamToken: 'tokens',
  MemberToken: null,
  Grant: null,
  Webhook: 'webhooks',
  WorkloadIdentity: 'identities',
  TeamDomain: null,
  IdentityProvider: 'sign-in',
  OAuthClient: null,
}

/** The name of the changed object, as a link to its page while that exists. */
function Target({ entry: { subject, subjectName, subjectObject }, team }: { entry: Entry; team: string }) {
  const name = <Address>{subjectName ?? subject}</Address>
  const page = subjectObject && subjectPages[subjectObject.__typename]
  return page ? <a href={`${team}/${page}/${subject}`}>{name}</a> : name
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

const formatJson = ({ id, at, actionName: action, actorName, subject, subjectName, before, after }: Entry) =>
  JSON.stringify(
    { id, at, action, actor: actorName, subject, subject_name: subjectName, before: parsed(before), after: parsed(after) },
    null,
    2,
  )
