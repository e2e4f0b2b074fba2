import type { ComponentChildren } from 'preact'
import { DateTime } from '../../web/components/time.tsx'
import { actionLabels } from '../audit/labels.ts'
import type { OverviewQuery } from '../generated/operations.ts'
import { formatMoney } from '../invoices/money.ts'

type Team = OverviewQuery['team']
interface CardProps {
  /** Path of the team. */
  path: string
}

interface FigureProps {
  id: string
  title: string
  figure: ComponentChildren
  link: string
  children?: ComponentChildren
}

const Card = ({ id, title, figure, link, children }: FigureProps) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>
      <a href={link}>{title}</a>
    </h2>
    <p class="figure">{figure}</p>
    {children}
  </section>
)

export const MembersCard = ({ path, members, invited }: CardProps & { members: number; invited: number }) => (
  <Card id="members" title="Members" figure={members} link={`${path}/members`}>
    {invited > 0 && <p>{invited === 1 ? '1 pending invitation' : `${invited} pending invitations`}</p>}
  </Card>
)

const soonMilliseconds = 14 * 86_400_000

export const TokensCard = ({ path, tokens, now }: CardProps & { tokens: NonNullable<Team['tokens']>; now: Date }) => {
  const expiring = tokens.nodes
    .flatMap(({ expiresAt, ...token }) => (expiresAt === null ? [] : [{ ...token, expiresAt }]))
    .filter(({ expiresAt }) => Date.parse(expiresAt) - now.getTime() < soonMilliseconds)
  return (
    <Card id="tokens" title="Team tokens" figure={tokens.total} link={`${path}/tokens`}>
      {expiring.length > 0 && (
        <ul>
          {expiring.slice(0, 3).map(({ id, name, expiresAt }) => (
            <li>
              <a href={`${path}/tokens/${id}`}>
                <bdi>{name}</bdi>
              </a>{' '}
              expires <DateTime at={expiresAt} />
            </li>
          ))}
          {expiring.length > 3 && <li>{expiring.length - 3} more expire soon</li>}
        </ul>
      )}
    </Card>
  )
}

export const InvoicesCard = ({ path, invoices: { nodes, total } }: CardProps & { invoices: NonNullable<Team['invoices']> }) => {
  const open = nodes.filter(({ status, amountDue }) => status !== 'VOID' && amountDue > 0)
  const sums = Object.entries(Object.groupBy(open, ({ currency }) => currency)).map(([currency, list = []]) =>
    formatMoney(
      list.reduce((sum, { amountDue }) => sum + amountDue, 0),
      currency,
    ),
  )
  const overdue = open.filter(({ isOverdue }) => isOverdue).length
  return (
    <Card id="invoices" title="Outstanding invoices" figure={sums.join(' · ') || 'None'} link={`${path}/invoices`}>
      {overdue > 0 && <p class="wrong">{overdue} overdue</p>}
      {total > nodes.length && <p class="hint">Among the {nodes.length} most recent invoices.</p>}
    </Card>
  )
}

export const ActivityCard = ({ path, entries }: CardProps & { entries: NonNullable<Team['auditEntries']>['nodes'] }) => (
  <section aria-labelledby="activity">
    <h2 id="activity">Recent activity</h2>
    {entries.length === 0 && <p class="empty">No activity yet. Changes to the team appear here.</p>}
    <ul class="entries">
      {entries.map(({ at, action, actorName, subject, subjectName }) => (
        <li>
          <span>
            {actionLabels[action] ?? action}: <bdi>{subjectName ?? subject}</bdi>{' '}
            <span class="about">
              <bdi>{actorName}</bdi>
            </span>
          </span>
          <DateTime at={at} />
        </li>
      ))}
    </ul>
    <p>
      <a href={`${path}/audit-trail`}>Open the audit log</a>
    </p>
  </section>
)
