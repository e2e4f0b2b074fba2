import { stateOfCertificate } from '../../../../schema/identity-providers/saml/certificate-ends.ts'
import { Name } from '../../../web/components/address.tsx'
import { ListCard } from '../../../web/components/lists/list-card.tsx'
import { DateTime, Day, RelativeTime } from '../../../web/components/time.tsx'
import { DomainBadge } from '../../sign-in-settings/domain-badge.tsx'
import { ProviderStateBadge, protocolAndHost } from '../../sign-in-settings/provider-state.tsx'
import { Act } from '../act.tsx'
import type { TeamPart, TeamState } from './team-part.ts'
import { teamActs } from './team-acts.ts'

type Provider = TeamState['identityProviders'][number]

/** The identity providers of a team, with what is wrong with them. */
export const ProvidersCard = ({ state, ctx }: TeamPart) => (
  <ListCard
    id="providers"
    total={state.identityProviders.length}
    noun={['identity provider', 'identity providers']}
    empty="Members sign in with a password or a passkey."
  >
    {state.identityProviders.map((provider) => (
      <li>
        <div>
          <Name>{provider.name}</Name> <ProviderStateBadge {...provider} /> {provider.isRequired && <span class="badge">Required</span>}
          <span class="about">
            {protocolAndHost({ kind: provider.kind, issuer: provider.host })}
            {provider.testedAt !== null && (
              <>
                , tested <RelativeTime at={provider.testedAt} />
              </>
            )}
          </span>
          <ProviderProblems provider={provider} now={ctx.site.now()} />
        </div>
        {!state.isMember && <ProviderAct provider={provider} ctx={ctx} />}
      </li>
    ))}
  </ListCard>
)

const ProviderProblems = ({ provider: { failedAt, failure, certificates }, now }: { provider: Provider; now: Date }) => (
  <>
    {failedAt !== null && (
      <p class="hint">
        No one could sign in on <DateTime at={failedAt} />: <bdi>{failure}</bdi>
      </p>
    )}
    {certificates
      .map((certificate) => ({ ...certificate, state: stateOfCertificate(new Date(certificate.expiresAt), now) }))
      .filter(({ state }) => state !== 'valid')
      .map(({ subject, expiresAt, state }) => (
        <p class="hint">
          The certificate of <Name>{subject}</Name> {state === 'ended' ? 'expired' : 'expires'} on <Day at={expiresAt} />.
        </p>
      ))}
  </>
)

const ProviderAct = ({ provider: { providerId: id, name, disabledAt }, ctx }: { provider: Provider; ctx: TeamPart['ctx'] }) =>
  disabledAt === null ? (
    <Act
      ctx={ctx}
      name="disable-provider"
      form={teamActs['disable-provider']}
      hidden={{ id }}
      objectName={name}
      summary="Disable…"
      button="Disable this identity provider"
    >
      No one can sign in through it until it is enabled again. Sessions for which it vouches lose the team at once. The owners of the team
      receive an email with the reason.
    </Act>
  ) : (
    <Act
      ctx={ctx}
      name="enable-provider"
      form={teamActs['enable-provider']}
      hidden={{ id }}
      objectName={name}
      summary="Enable…"
      button="Enable this identity provider"
      isHarmless
    >
      Members can sign in through it again. The owners of the team receive an email with the reason.
    </Act>
  )

/** The domains of a team. */
export const DomainsCard = ({ domains }: Pick<TeamState, 'domains'>) => (
  <ListCard id="domains" total={domains.length} noun={['domain', 'domains']} empty={null}>
    {domains.map((each) => (
      <li>
        <div>
          <Name>{each.domain}</Name>
          <span class="about">
            {each.checkedAt === null ? (
              'Never checked'
            ) : (
              <>
                Checked <RelativeTime at={each.checkedAt} />
              </>
            )}
            {each.missingSince !== null && (
              <>
                , record missing since <DateTime at={each.missingSince} />
              </>
            )}
          </span>
        </div>
        <DomainBadge {...each} />
      </li>
    ))}
  </ListCard>
)
