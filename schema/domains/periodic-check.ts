import { randomUUID } from 'node:crypto'
import type { TeamDomain } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { inTransaction } from '../../prisma/statement/transaction.ts'
import { updateRows } from '../../prisma/statement/write-row.ts'
import { systemPrincipal, writeAuditEntry } from '../core/audit/audit.ts'
import type { Ports } from '../core/ports.ts'
import { observe } from '../core/observation/observation.ts'
import { sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { endSignInsAtProvider } from '../core/team-access/session-reach.ts'
import { checkRecord } from './check.ts'
import { auditedDomain, lockDomain } from './own-domain.ts'

type CheckPorts = Pick<Ports, 'database' | 'now' | 'sendMail' | 'outgoing'>

/** Number of domains that one call looks up, all at the same time. */
const batchSize = 20

/** Number of days for which the record of a verified domain may be missing. */
export const missingDays = 14
const dayMilliseconds = 86_400_000

type Due = Pick<TeamDomain, 'id' | 'domain' | 'value'> & { team: string; slug: string }

/** Builds a subquery for domains from an index. It selects more than a batch, because another process may have locked the first ones. */
const dueWhen = (condition: string) => `(SELECT c.id FROM team_domains c JOIN teams o ON o.id = c.team_id AND o.deleted_at IS NULL
  WHERE c.verified_at IS NOT NULL AND ${condition} ORDER BY c.checked_at LIMIT ${3 * batchSize})`

/**
 * Marks verified domains whose check is due as checked, and returns them. A check is due a week after the last one, daily while the record
 * is missing, and at once after an import. They are marked before the look-ups, so that a name server that does not reply is queried again
 * only at the next check.
 */
const claimDue = statement<Due, [now: Date]>(
  'claim_domains_to_check',
  `UPDATE team_domains d SET checked_at = $1 FROM teams t WHERE t.id = d.team_id AND d.id = ANY (ARRAY(
     SELECT c.id FROM team_domains c WHERE c.id = ANY (ARRAY(
       ${dueWhen('c.checked_at IS NULL')} UNION ALL ${dueWhen(`c.checked_at <= $1::timestamptz - interval '7 days'`)}
       UNION ALL ${dueWhen(`c.missing_since IS NOT NULL AND c.checked_at <= $1::timestamptz - interval '1 day'`)}
     )) AND (c.checked_at IS NULL OR c.checked_at <= $1::timestamptz - interval '1 day')
     ORDER BY c.checked_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))
   RETURNING d.id, d.domain, d.value, t.name AS team, t.slug`,
)

/** Looks up the records of some domains whose check is due. Returns the number of domains. */
export async function checkDomains(ports: CheckPorts): Promise<number> {
  const due = await claimDue(ports.database.pool, ports.now())
  await Promise.all(due.map((each) => checkDomain(ports, each)))
  return due.length
}

async function checkDomain(ports: CheckPorts, due: Due): Promise<void> {
  const check = await checkRecord(ports, due)
  observe('domainCheck', { result: check.state === 'unknown' ? 'unanswered' : check.state })
  if (check.state === 'unknown') return
  const now = ports.now()
  await inTransaction(ports.database, async (transaction) => {
    const current = await lockDomain(transaction, due.id)
    if (!current || current.verifiedAt === null) return
    const { id, teamId, domain, missingSince } = current
    const write = (data: Partial<TeamDomain>) => transaction.defer(updateRows(transaction, 'team_domains', { id }, data))
    const context = { ...ports, principal: null, browser: null }
    const facts = { team: due.team, slug: due.slug, domain }
    if (check.state === 'found') {
      if (missingSince !== null) write({ missingSince: null })
      return
    }
    const lostAt = new Date((missingSince ?? now).getTime() + missingDays * dayMilliseconds)
    if (lostAt <= now) {
      write({ verifiedAt: null, missingSince: null })
      endSignInsAtProvider(transaction, { of: { teamId }, domain })
      const recorder = { now: ports.now, requestId: randomUUID(), principal: systemPrincipal }
      writeAuditEntry(transaction, recorder, 'loseTeamDomain', {
        ...auditedDomain(current),
        after: { missingSince: missingSince?.toISOString() ?? null },
      })
      await sendNoticeToOwners(transaction, context, teamId, 'domain-lost', facts)
    } else if (missingSince === null) {
      write({ missingSince: now })
      await sendNoticeToOwners(transaction, context, teamId, 'domain-missing', { ...facts, until: lostAt.toISOString() })
    }
  })
}
