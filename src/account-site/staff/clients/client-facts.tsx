import { AppOrigin } from '../../../web/components/app-origin.tsx'
import { Address } from '../../../web/components/address.tsx'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { DateTime, RelativeTime } from '../../../web/components/time.tsx'
import { scopeLabel, sortScopes } from '../../../web/components/scope-list.tsx'
import { LastUsed } from '../../developers/apps.tsx'
import { grantLabels } from '../../developers/form/app-kinds.ts'
import type { ClientSource, ClientState, StaffClientQuery } from '../../generated/operations.ts'
import { staffTeamAt } from '../staff-paths.ts'

type Client = StaffClientQuery['staff']['client']

const sources: Record<ClientSource, string> = {
  OPERATOR: 'Registered by an operator',
  TEAM: 'Registered by a team',
  METADATA: 'Described by a document at its URL',
  REGISTRATION: 'Registered itself with a token of a team',
}

/** Descriptions of who can connect an app in each state. */
const meanings: Record<ClientState, string> = {
  DRAFT: 'Only members of its team can connect it.',
  SUBMITTED: 'It waits for a review. Until it is approved, only members of its team can connect it.',
  LISTED: 'Everyone can connect it.',
  REJECTED: 'Only members of its team can connect it.',
}

/** What an app is, who owns it and who can connect it. */
export const ClientFacts = ({ client }: { client: Client }) => (
  <section>
    {client.disabledAt !== null && (
      <p class="alert">
        The app was disabled on <DateTime at={client.disabledAt} />. It cannot be used.
      </p>
    )}
    {client.rejectionReason !== null && (
      <p class="caution">
        {client.state === 'LISTED' ? 'The last changes were rejected' : 'The app was rejected'}: <bdi>{client.rejectionReason}</bdi>
      </p>
    )}
    <p>{meanings[client.state]}</p>
    <AppOrigin {...client} />
    {client.description !== null && (
      <p>
        <bdi>{client.description}</bdi>
      </p>
    )}
    <Facts>
      <Fact name="Client ID">
        <code>
          <Address>{client.clientId}</Address>
        </code>
      </Fact>
      <Fact name="Team">
        {client.ownerTeamSlug === null ? 'None' : <a href={staffTeamAt(client.ownerTeamSlug)}>{client.ownerTeamSlug}</a>}
      </Fact>
      <Fact name="Source">{sources[client.source]}</Fact>
      <Fact name="Type">{client.confidential ? 'Confidential (has a secret)' : 'Public (has no secret)'}</Fact>
      <Fact name="Flows">{client.grantTypes.map((grant) => grantLabels[grant]?.label ?? grant).join(', ')}</Fact>
      <Fact name="Connections">{client.grants.total.toLocaleString('en')}</Fact>
      <Fact name="Last used">
        <LastUsed app={client} />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={client.createdAt} />
      </Fact>
      <Fact name="Changed">
        <RelativeTime at={client.updatedAt} />
      </Fact>
    </Facts>
  </section>
)

/** The registered redirect URIs and permissions of an app. */
export const Registration = ({ client: { redirectUris, requiredScopes, optionalScopes } }: { client: Client }) => (
  <section>
    <h2>Registration</h2>
    <h3>Redirect URIs</h3>
    <Values values={redirectUris} />
    <h3>Permissions that users cannot decline</h3>
    <Values values={sortScopes(requiredScopes).map(scopeLabel)} />
    <h3>Permissions that users can decline</h3>
    <Values values={sortScopes(optionalScopes).map(scopeLabel)} />
  </section>
)

const Values = ({ values }: { values: readonly string[] }) =>
  values.length === 0 ? (
    <p class="default">None</p>
  ) : (
    <ul>
      {values.map((value) => (
        <li>
          <Address>{value}</Address>
        </li>
      ))}
    </ul>
  )
