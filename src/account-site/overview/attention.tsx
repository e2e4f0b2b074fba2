import type { ComponentChildren } from 'preact'
import { Name } from '../../web/components/address.tsx'
import { Day } from '../../web/components/time.tsx'
import { counted } from '../labels.ts'
import { withoutRequiredSignIn, withoutTwoFactor } from '../members/members-table.tsx'
import { getWebhookName } from '../webhooks/webhook-state.tsx'
import type { OwnedTeam } from './cards.tsx'

interface AttentionProps {
  /** Path of the team. */
  path: string
  team: OwnedTeam
}

interface Item {
  text: ComponentChildren
  /** The page on which an owner corrects it. */
  link: string
}

/** What an owner should look at, each as a link to the page that corrects it. Renders nothing if there is nothing. */
export const Attention = (props: AttentionProps) => {
  const items = [...listWebhooks(props), ...listTokens(props), ...listLackingMembers(props), ...listInvitations(props)]
  if (items.length === 0) return null
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul class="entries attention">
        {items.map(({ text, link }) => (
          <li class="linked">
            <a href={link}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The webhooks that fail, or that the service disabled because they failed. */
const listWebhooks = ({ path, team: { webhooks } }: AttentionProps): Item[] =>
  webhooks
    .filter(({ state, disabledReason }) => state === 'FAILING' || (disabledReason !== null && disabledReason !== 'REQUEST'))
    .map((webhook) => ({
      text: (
        <>
          The webhook <Name>{getWebhookName(webhook)}</Name> {webhook.state === 'FAILING' ? 'is failing' : 'was disabled after failures'}
        </>
      ),
      link: `${path}/webhooks/${webhook.webhookId}`,
    }))

/** The tokens that expire soon: the first one by name, or their number. */
const listTokens = ({ path, team: { expiring } }: AttentionProps): Item[] => {
  const [first] = expiring.nodes
  if (!first) return []
  const text =
    expiring.total === 1 ? (
      <>
        The token <Name>{first.name}</Name> expires on <Day at={first.expiresAt} />
      </>
    ) : (
      <>
        {expiring.total.toLocaleString('en')} tokens expire soon, the first on <Day at={first.expiresAt} />
      </>
    )
  return [{ text, link: `${path}/tokens?sort=expires` }]
}

/** The members who lack what the team requires of them. */
const listLackingMembers = ({ path, team }: AttentionProps): Item[] => {
  const withoutSecondFactor = team.twoFactorRequiredAt === null ? 0 : team.membersWithoutTwoFactor.total
  const withoutSignIn = team.withoutSignIn?.total ?? 0
  const describe = (count: number) => `${counted(count, 'member has', 'members have')} not`
  return [
    ...(withoutSecondFactor > 0
      ? [{ text: `${describe(withoutSecondFactor)} turned on the required two-factor authentication`, link: withoutTwoFactor(path) }]
      : []),
    ...(withoutSignIn > 0
      ? [{ text: `${describe(withoutSignIn)} signed in through the required identity provider`, link: withoutRequiredSignIn(path) }]
      : []),
  ]
}

const listInvitations = ({ path, team: { invited } }: AttentionProps): Item[] =>
  invited.total === 0
    ? []
    : [{ text: `${counted(invited.total, 'invitation is', 'invitations are')} not accepted yet`, link: `${path}/invitations` }]
