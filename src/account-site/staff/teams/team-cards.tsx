import { Address, Name } from '../../../web/components/address.tsx'
import { AppMark } from '../../../web/components/app-mark.tsx'
import { ListCard } from '../../../web/components/lists/list-card.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import { AppStateBadge, ChangesBadge } from '../../developers/app-state.tsx'
import { roleNames } from '../../labels.ts'
import { ExplainedState } from '../../webhooks/webhook-state.tsx'
import { Act } from '../act.tsx'
import { staffClientAt } from '../staff-paths.ts'
import type { TeamPart, TeamState } from './team-part.ts'
import { teamActs } from './team-acts.ts'

/** The webhooks of a team, with the last error of those that fail. */
export const WebhooksCard = ({ state, ctx }: TeamPart) => (
  <ListCard id="webhooks" total={state.webhooks.length} noun={['webhook', 'webhooks']} empty="The team receives no events.">
    {state.webhooks.map((webhook) => (
      <li>
        <div>
          <Name>{webhook.description || webhook.host}</Name> <ExplainedState {...webhook} />
          {webhook.description !== '' && <span class="about">{webhook.host}</span>}
          {webhook.lastError !== null && (
            <p class="hint">
              Last error: <bdi>{webhook.lastError}</bdi>
            </p>
          )}
        </div>
        {!state.isMember && <WebhookAct webhook={webhook} ctx={ctx} />}
      </li>
    ))}
  </ListCard>
)

const WebhookAct = ({ webhook, ctx }: { webhook: TeamState['webhooks'][number]; ctx: TeamPart['ctx'] }) => {
  const { webhookId: id, description, host, state } = webhook
  const act = { ctx, hidden: { id }, objectName: description || host }
  return state === 'DISABLED' ? (
    <Act {...act} name="enable-webhook" form={teamActs['enable-webhook']} summary="Enable…" button="Enable this webhook" isHarmless>
      Events are delivered again, from the first one that was not delivered. The owners of the team receive an email with the reason.
    </Act>
  ) : (
    <Act {...act} name="disable-webhook" form={teamActs['disable-webhook']} summary="Disable…" button="Disable this webhook">
      No events are delivered until it is enabled again. The owners of the team receive an email with the reason.
    </Act>
  )
}

/** The apps of a team, with links to their pages. */
export const AppsCard = ({ clients }: Pick<TeamState, 'clients'>) => (
  <ListCard id="apps" total={clients.length} noun={['app', 'apps']} empty="The team develops no apps.">
    {clients.map((client) => (
      <li class="linked">
        <span class="who">
          <AppMark app={client} isSmall />{' '}
          <a href={staffClientAt(client.clientId)}>
            <bdi>{client.name}</bdi>
          </a>
        </span>
        <span>
          <AppStateBadge {...client} /> <ChangesBadge {...client} />
        </span>
      </li>
    ))}
  </ListCard>
)

/** The latest invitations that can be sent again. */
export const InvitationsCard = ({ state, ctx }: TeamPart) =>
  state.invitations.length > 0 && (
    <ListCard
      id="invitations"
      total={state.invitations.length}
      noun={['invitation that can be sent again', 'invitations that can be sent again']}
      empty={null}
    >
      {state.invitations.map(({ invitationId, email, role, sentAt, expiresAt }) => (
        <li>
          <div>
            <strong>
              <Address>{email}</Address>
            </strong>
            <span class="about">
              {roleNames[role]}, sent <RelativeTime at={sentAt} />,{' '}
              {Date.parse(expiresAt) > ctx.site.now().getTime() ? 'expires' : 'expired'} <RelativeTime at={expiresAt} />
            </span>
          </div>
          {!state.isMember && (
            <Act
              ctx={ctx}
              name="resend"
              form={teamActs.resend}
              hidden={{ id: invitationId }}
              objectName={email}
              summary="Send again…"
              button="Send the invitation again"
              isHarmless
            >
              The person receives a new link, and the old one stops working. The owners of the team receive an email with the reason.
            </Act>
          )}
        </li>
      ))}
    </ListCard>
  )
