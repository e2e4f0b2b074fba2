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
  state: string
  /** Colour of the state. None for what only waits for somebody else. */
  kind?: 'alert' | 'caution'
  /** What the state is about, which leads to the page on which the reader corrects it. */
  object: ComponentChildren
  link: string
  /** Text after the object. */
  details?: ComponentChildren
}

/** What the reader should look at, each with a link to the page that corrects it. Renders nothing if there is nothing. */
export const Attention = ({ path, team, sums }: AttentionProps) => {
  const items = [...listOverdue(path, sums), ...(team ? listForOwner({ path, team }) : [])]
  if (items.length === 0) return null
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      <ul class="entries attention">
        {items.map(({ state, kind = '', object, link, details }) => (
          <li class="linked">
            <span class={`badge ${kind}`.trim()}>{state}</span>{' '}
            <span>
              <a href={link}>{object}</a>
              {details}
            </span>
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
  return [
    {
      state: 'Overdue',
      kind: 'alert',
      object: counted(count, 'invoice', 'invoices'),
      link: `${path}/invoices?status=OPEN&sort=due`,
      details: (
        <>
          {' of '}
          <strong>{amounts.join(' and ')}</strong>
        </>
      ),
    },
  ]
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
      state: webhook.state === 'FAILING' ? 'Failing' : 'Disabled',
      kind: 'alert',
      object: (
        <>
          Webhook <Name>{getWebhookName(webhook)}</Name>
        </>
      ),
      link: `${path}/webhooks/${webhook.webhookId}`,
      details: webhook.state === 'FAILING' ? null : ' after failed deliveries',
    }))

/** The tokens that expire soon: the first one by name, or their number. */
const listTokens = ({ path, team: { expiring } }: OwnerProps): Item[] => {
  const [first] = expiring.nodes
  if (!first) return []
  const isOnly = expiring.total === 1
  return [
    {
      state: 'Expires soon',
      kind: 'caution',
      object: isOnly ? (
        <>
          Token <Name>{first.name}</Name>
        </>
      ) : (
        `${expiring.total.toLocaleString('en')} tokens`
      ),
      link: `${path}/tokens?sort=expires`,
      details: (
        <>
          {isOnly ? ' on ' : ', the first on '}
          <Day at={first.expiresAt} />
        </>
      ),
    },
  ]
}

/** The members who lack what the team requires of them. */
const listLackingMembers = ({ path, team }: OwnerProps): Item[] => {
  const withoutSecondFactor = team.twoFactorRequiredAt === null ? 0 : team.membersWithoutTwoFactor.total
  const withoutSignIn = team.withoutSignIn?.total ?? 0
  const describe = (count: number, missing: string, link: string): Item[] =>
    count === 0 ? [] : [{ state: 'Required', kind: 'caution', object: counted(count, 'member', 'members'), link, details: ` ${missing}` }]
  return [
    ...describe(withoutSecondFactor, 'without the required two-factor authentication', withoutTwoFactor(path)),
    ...describe(withoutSignIn, 'not signed in through the required identity provider', withoutRequiredSignIn(path)),
  ]
}

const listInvitations = ({ path, team: { invited } }: OwnerProps): Item[] =>
  invited.total === 0
    ? []
    : [
        {
          state: 'Pending',
          object: counted(invited.total, 'invitation', 'invitations'),
          link: `${path}/invitations`,
          details: ' not accepted yet',
        },
      ]
