import { Address } from '../../web/components/address.tsx'
import { FigureCard } from '../../web/components/figure-card.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import { actionLabel } from '../audit/labels.ts'
import type { OverviewQuery } from '../generated/operations.ts'
import { AmountCard } from '../invoices/summary-cards.tsx'
import type { Sums } from '../invoices/summary-cards.tsx'

type Team = OverviewQuery['team']
interface CardProps {
  /** Path of the team. */
  path: string
}

export const MembersCard = ({ path, members, invited }: CardProps & { members: number; invited: number }) => (
  <FigureCard id="members" title="Members" figure={members} link={`${path}/members`}>
    {invited > 0 && <p>{invited === 1 ? '1 pending invitation' : `${invited} pending invitations`}</p>}
  </FigureCard>
)

interface TokensCardProps extends CardProps {
  total: number
  /** The tokens that expire soon, the first ones by name. */
  expiring: NonNullable<Team['expiring']>
}

export const TokensCard = ({ path, total, expiring: { nodes, total: count } }: TokensCardProps) => (
  <FigureCard id="tokens" title="Team tokens" figure={total} link={`${path}/tokens`}>
    {count > 0 && (
      <ul>
        {nodes.map(({ id, name, expiresAt }) => (
          <li>
            <a href={`${path}/tokens/${id}`}>
              <bdi>{name}</bdi>
            </a>{' '}
            expires on <Day at={expiresAt} />
          </li>
        ))}
        {count > nodes.length && (
          <li>
            <a href={`${path}/tokens?sort=expires`}>{count - nodes.length} more expire soon</a>
          </li>
        )}
      </ul>
    )}
  </FigureCard>
)

export const InvoicesCards = ({ path, sums }: CardProps & { sums: Sums }) => (
  <>
    <AmountCard title="Outstanding invoices" sums={sums} amount="outstanding" link={`${path}/invoices?status=OPEN`} />
    {sums.some(({ overdueCount }) => overdueCount > 0) && (
      <AmountCard title="Overdue invoices" sums={sums} amount="overdue" link={`${path}/invoices?status=OVERDUE`} />
    )}
  </>
)

export const ActivityCard = ({ path, entries }: CardProps & { entries: NonNullable<Team['auditEntries']>['nodes'] }) => (
  <section aria-labelledby="activity">
    <h2 id="activity">Recent activity</h2>
    {entries.length === 0 && <p class="empty">No activity yet. Changes to the team appear here.</p>}
    <ul class="entries">
      {entries.map(({ at, action, actionName, actorName, subject, subjectName }) => (
        <li>
          <span>
            {actionLabel({ action, actionName })}: <Address>{subjectName ?? subject}</Address>{' '}
            <span class="about">
              <bdi>{actorName}</bdi>
            </span>
          </span>
          <RelativeTime at={at} />
        </li>
      ))}
    </ul>
    <p>
      <a href={`${path}/audit-trail`}>Open the audit log</a>
    </p>
  </section>
)
