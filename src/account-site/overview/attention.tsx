import type { ComponentChildren } from 'preact'
import { Name } from '../../web/components/address.tsx'
import { Day } from '../../web/components/time.tsx'
import { formatMoney } from '../../web/money.ts'
import { counted } from '../labels.ts'
import type { Sums } from '../invoices/totals/summary-cards.tsx'
import { withoutRequiredSignIn, withoutTwoFactor } from '../members/members-table.tsx'
import { getWebhookName } from '../webhooks/webhook-state.tsx'
import type { OwnedTeam } from './cards.tsx'

interface AttentionProps {
  /** Path of the team. */
  path: string
  /** Null for a member who is no owner. */
  team: OwnedTeam | null
  /** The amounts that the team owes; none for a member who does not see invoices. */
  sums: Sums
}

type OwnerProps = Pick<AttentionProps, 'path'> & { team: OwnedTeam }

interface Item {
  text: ComponentChildren
  /** The page on which the reader corrects it. */
  link: string
}

/** What the reader should look at, each as a link to the page that corrects it. Renders nothing if there is nothing. */
export const Attention = ({ path, team, sums }: AttentionProps) => {
  const items = [...listOverdue(path, sums), ...(team ? listForOwner({ path, team }) : [])]
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

/** The overdue invoices of all currencies. They come first, because a product can stop if they are not paid. */
const listOverdue = (path: string, sums: Sums): Item[] => {
  const count = sums.reduce((total, { overdueCount }) => total + overdueCount, 0)
  if (count === 0) return []
  const amounts = sums.flatMap(({ currency, overdue, overdueCount }) => (overdueCount > 0 ? [formatMoney(overdue, currency)] : []))
  const text = (
    <>
      {counted(count, 'invoice is', 'invoices are')} overdue: <strong>{amounts.join('\u00a0· ')}</strong>
    </>
  )
  return [{ text, link: `${path}/invoices?status=OPEN&sort=due` }]
}

const listForOwner = (props: OwnerProps): Item[] => [
  ...listWebhooks(props),
  ...listTokens(props),
  ...listLackingMembers(props),
  ...listInvitations(props),
]

/** The webhooks that fail, or that the service disabled because they failed. */
const listWebhooks = ({ path, team: { webhooks } }: OwnerProps): Item[] =>
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
const listTokens = ({ path, team: { expiring } }: OwnerProps): Item[] => {
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
const listLackingMembers = ({ path, team }: OwnerProps): Item[] => {
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

const listInvitations = ({ path, team: { invited } }: OwnerProps): Item[] =>
  invited.total === 0
    ? []
    : [{ text: `${counted(invited.total, 'invitation is', 'invitations are')} not accepted yet`, link: `${path}/invitations` }]
