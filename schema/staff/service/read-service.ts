import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { isWaitingForReview } from '../../oauth/clients/client.ts'
import { isOutboxMail, outboxState } from '../../core/mails/outbox-mails.ts'
import { certificatesPage, readCertificateEnds, stateOfCertificate } from '../../identity-providers/saml/certificate-ends.ts'
import type { ProviderCertificates } from '../../identity-providers/saml/certificate-ends.ts'

/** Maximum number of each kind that is counted, and of the listed objects. */
export const maxCounted = 1000
export const maxListed = 50

export interface ServiceCounts {
  waitingMails: number
  /** When the mail that has waited longest was queued, or null. */
  oldestMailAt: string | null
  failedMails: number
  clientsToReview: number
}

const mailsInState = (state: string) => `FROM pgboss.job j WHERE ${isOutboxMail} AND (${outboxState}) = '${state}'`
const limitedCount = (rows: string) => `(SELECT count(*) FROM (SELECT ${rows} LIMIT ${maxCounted}) counted)`

/** Counts the emails and apps that wait or failed, up to `maxCounted` of each. */
const serviceCounts = statement<ServiceCounts, []>(
  'staff_service_counts',
  `SELECT ${limitedCount(mailsInState('pending'))} AS "waitingMails",
     (SELECT date_trunc('milliseconds', j.created_on) ${mailsInState('pending')} ORDER BY j.created_on, j.id LIMIT 1) AS "oldestMailAt",
     ${limitedCount(mailsInState('failed'))} AS "failedMails",
     ${limitedCount(`FROM oauth_clients c WHERE ${isWaitingForReview('c')}`)} AS "clientsToReview"`,
)

export interface FailingWebhook {
  id: string
  /** Slug of the team; null for a webhook of the operator. */
  teamSlug: string | null
  url: string
  failingSince: string
}

/** Selects the enabled webhooks whose deliveries fail, those that fail longest first. */
export const readFailingWebhooks = statement<FailingWebhook, []>(
  'staff_failing_webhooks',
  `SELECT w.id, (SELECT slug FROM teams t WHERE t.id = w.team_id) AS "teamSlug", w.url, w.failing_since AS "failingSince"
   FROM webhooks w WHERE w.failing_since IS NOT NULL AND w.disabled_at IS NULL ORDER BY w.failing_since LIMIT ${maxListed}`,
)

const certificates = statement<ProviderCertificates, [after: string]>('staff_certificates', certificatesPage)

export interface EndingCertificate {
  providerId: string
  teamSlug: string
  endsAt: Date
}

export async function readServiceCounts(pool: StatementPool): Promise<ServiceCounts> {
  const [counts] = await serviceCounts(pool)
  if (!counts) throw new Error('the statement returns one row')
  return counts
}

/** Reads the SAML providers whose newest certificate ends within 30 days or has ended, the earliest end first. */
export async function readEndingCertificates(pool: StatementPool, now: Date): Promise<EndingCertificate[]> {
  const ending: EndingCertificate[] = []
  for await (const { id, team, endsAt } of readCertificateEnds((after) => certificates(pool, after)))
    if (team !== null && stateOfCertificate(endsAt, now) !== 'valid') ending.push({ providerId: id, teamSlug: team, endsAt })
  return ending.toSorted((one, other) => one.endsAt.getTime() - other.endsAt.getTime()).slice(0, maxListed)
}
