import { Name } from '../../web/components/address.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import type { AgentAssertionsPartsFragment, AgentsQuery } from '../generated/operations.ts'
import { counted } from '../labels.ts'

type Provider = Pick<NonNullable<AgentsQuery['owned']>['identityProviders'][number], 'disabledAt'> & {
  agentAssertions: Pick<AgentAssertionsPartsFragment, 'enabled' | 'clientIds' | 'scopes'>
}

/** The state of the access that an identity provider gives, such as `On: 2 apps, 3 permissions`. */
export const ProviderAccessBadge = ({ disabledAt, agentAssertions: { enabled, clientIds, scopes } }: Provider) =>
  !enabled ? (
    <span class="badge">Off</span>
  ) : disabledAt !== null ? (
    <span class="badge alert">Disabled</span>
  ) : (
    <span class="badge good">
      On: {counted(clientIds.length, 'app', 'apps')}, {counted(scopes.length, 'permission', 'permissions')}
    </span>
  )

interface ProviderAccessSectionProps {
  providers: NonNullable<AgentsQuery['owned']>['identityProviders']
  /** Slug of the team. */
  team: string
}

/** The OpenID providers of the team, each with a link to the page on which owners let it give agents access. */
export const ProviderAccessSection = ({ providers, team }: ProviderAccessSectionProps) => {
  const openIdProviders = providers.filter(({ kind }) => kind === 'OIDC')
  return (
    <FieldGroup
      id="provider-access"
      title="Access through your identity provider"
      about={
        openIdProviders.length > 0 && (
          <p>Your identity provider can decide which members’ agents get access to the team. Members are then not asked.</p>
        )
      }
    >
      {openIdProviders.length === 0 ? (
        <p>
          To let your identity provider give agents access, first add an OpenID provider under{' '}
          <a href={`/teams/${team}/sign-in`}>Sign-in</a>.
        </p>
      ) : (
        <ul class="entries">
          {openIdProviders.map((provider) => (
            <li>
              <div>
                <a href={`/teams/${team}/developers/agents/${provider.providerId}`}>
                  <Name>{provider.name}</Name>
                </a>
              </div>
              <ProviderAccessBadge {...provider} />
            </li>
          ))}
        </ul>
      )}
    </FieldGroup>
  )
}
