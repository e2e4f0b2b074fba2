import { FigureCard } from '../../web/components/facts.tsx'
import { Name } from '../../web/components/address.tsx'
import { Day } from '../../web/components/time.tsx'
import type { OverviewQuery } from '../generated/operations.ts'
import { counted } from '../labels.ts'
import { formatMoney } from '../../web/money.ts'
import { AllOverdue, allOverdue } from '../invoices/totals/summary-cards.tsx'
import type { Sums } from '../invoices/totals/summary-cards.tsx'

export type OwnedTeam = NonNullable<OverviewQuery['owned']>

interface CardProps {
  /** Path of the team. */
  path: string
  team: OwnedTeam
}

export const MembersCard = ({ path, team: { members, invited } }: CardProps) => (
  <FigureCard id="members" title="Members" figure={members.total.toLocaleString('en')} link={`${path}/members`}>
    {invited.total > 0 && <p class="hint">{counted(invited.total, 'pending invitation', 'pending invitations')}</p>}
  </FigureCard>
)

/** The amount that the team owes, and its overdue part, by currency. Renders nothing for a team without invoices. */
export const OutstandingCard = ({ path, sums }: { path: string; sums: Sums }) => {
  if (sums.length === 0) return null
  const open = sums.filter(({ outstandingCount }) => outstandingCount > 0)
  const overdue = sums.filter(({ overdueCount }) => overdueCount > 0)
  const isAllOverdue = allOverdue(sums)
  const total = (list: Sums, count: 'outstandingCount' | 'overdueCount') => list.reduce((sum, each) => sum + each[count], 0)
  return (
    <FigureCard
      id="outstanding"
      title="Outstanding invoices"
      link={open.length > 0 ? `${path}/invoices?status=OPEN&sort=due` : `${path}/invoices`}
      figure={open.length === 0 && 'None'}
    >
      {open.map((sum) => (
        <p class="figure money">{formatMoney(sum.outstanding, sum.currency)}</p>
      ))}
      {open.length > 0 && (
        <p class="hint">
          {counted(total(open, 'outstandingCount'), 'invoice', 'invoices')} {isAllOverdue && <AllOverdue />}
        </p>
      )}
      {overdue.length > 0 && !isAllOverdue && (
        <p>
          <span class="badge alert">{total(overdue, 'overdueCount').toLocaleString('en')} overdue</span>{' '}
          {overdue.map((sum) => formatMoney(sum.overdue, sum.currency)).join('\u00a0· ')}
        </p>
      )}
    </FigureCard>
  )
}

/** The number of members who use two-factor authentication. Renders nothing for a team of one, which sees it in the list of steps. */
export const TwoFactorCard = ({ path, team, now }: CardProps & { now: Date }) => {
  const { members, membersWithoutTwoFactor: without, twoFactorRequiredAt: from } = team
  if (members.total === 1) return null
  return (
    <FigureCard
      id="two-factor"
      title="Two-factor"
      link={`${path}/two-factor`}
      figure={`${(members.total - without.total).toLocaleString('en')} of ${members.total.toLocaleString('en')}`}
    >
      <p class="hint">
        members use it,{' '}
        {from === null ? (
          'not required'
        ) : (
          <>
            required {new Date(from) <= now ? 'since' : 'from'} <Day at={from} />
          </>
        )}
      </p>
    </FigureCard>
  )
}

/** The team tokens, and how many expire soon. Renders nothing for a team without tokens. */
export const TokensCard = ({ path, team: { tokens, expiring } }: CardProps) => {
  const [first] = expiring.nodes
  if (tokens.total === 0) return null
  return (
    <FigureCard
      id="tokens"
      title="Team tokens"
      figure={tokens.total.toLocaleString('en')}
      link={first ? `${path}/tokens?sort=expires` : `${path}/tokens`}
    >
      {first && (
        <p>
          <span class="badge caution">{counted(expiring.total, 'expires soon', 'expire soon')}</span>{' '}
          <span class="hint">
            {expiring.total > 1 && 'first: '}
            <Name>{first.name}</Name>, <Day at={first.expiresAt} />
          </span>
        </p>
      )}
    </FigureCard>
  )
}
