import { statement } from '../../../prisma/statement/statement.ts'
import type { Executor } from '../../../prisma/statement/statement.ts'
import type { Mail } from './mails.ts'
import { canReceiveMail } from './placeholder-address.ts'

/** The groups of mails that can be switched off, in the order of the page of notifications. */
export const mailTopics = {
  teams: 'Your teams.',
  invoices: 'Invoices of your teams.',
  tokens: 'Access tokens.',
  webhooks: 'Webhooks of your teams.',
}

/** A mail that its recipient can switch off. */
interface MailChoice {
  topic: keyof typeof mailTopics
  /** Topic of the mail, in a few words. */
  label: string
  /** Occasion of the mail, as a sentence. */
  about: string
}

/** A mail about the security of the account or of a team, or a step of the current action of the recipient. It cannot be switched off. */
const always = 'always'

/** The kinds of mail that identify their recipient as a user: only these can be switched off. */
type KindToUser<M = Mail> = M extends { kind: infer Kind; userId: string } ? Kind : never

/** Every kind of mail, and the group in which a user can switch it off. No other code decides this. */
const mailChoices = {
  invitation: always,
  'verify-email': always,
  'account-exists': always,
  'change-email': always,
  'reset-password': always,
  'prove-account': always,
  'sign-in-code': always,
  'refresh-token-reuse': always,
  'team-deleted': always,
  'team-restored': always,
  'password-changed': always,
  'second-factor-on': always,
  'second-factor-off': always,
  'authenticator-added': always,
  'authenticator-moved': always,
  'passkey-added': always,
  'passkey-removed': always,
  'identity-linked': always,
  'identity-unlinked': always,
  'recovery-codes-created': always,
  'recovery-code-used': always,
  'new-device': always,
  'device-trusted': always,
  'personal-token-created': always,
  'team-token-created': always,
  'workload-identity-created': always,
  'identity-provider': always,
  'linked-provider-changed': always,
  'app-registered': always,
  'app-secret-created': always,
  'initial-access-token-created': always,
  'app-credentials-added': always,
  'app-reviewed': always,
  'app-connected': always,
  'ownership-transferred': always,
  'two-factor-required': always,
  'sign-in-required': always,
  'sign-in-not-required': always,
  'owner-access': always,
  'support-session-opened': always,
  'account-support-opened': always,
  'sessions-ended-in-team': always,
  'domain-missing': always,
  'domain-lost': always,
  'address-moved': always,
  'email-change-requested': always,
  'email-changed': always,
  'account-deleted': always,
  'act-of-staff': always,
  'account-restored': always,
  'role-changed': { topic: 'teams', label: 'Your role in a team changed', about: 'Your role in a team changed.' },
  'removed-from-team': { topic: 'teams', label: 'You were removed from a team', about: 'You were removed from a team.' },
  'invitation-accepted': { topic: 'teams', label: 'Your invitation was accepted', about: 'Your invitation was accepted.' },
  'invoice-issued': {
    topic: 'invoices',
    label: 'New invoices',
    about: 'A team in which you are an owner or a billing member has a new invoice.',
  },
  'invoice-overdue': {
    topic: 'invoices',
    label: 'Overdue invoices',
    about: 'An invoice of a team in which you are an owner or a billing member is overdue.',
  },
  'token-expires': {
    topic: 'tokens',
    label: 'Expiring tokens',
    about: 'A personal token of yours, or a token of a team that you own, expires soon.',
  },
  'webhook-failing': {
    topic: 'webhooks',
    label: 'Failing webhooks',
    about: 'Deliveries to a webhook of a team that you own have failed for a day.',
  },
  'webhook-disabled': {
    topic: 'webhooks',
    label: 'Disabled webhooks',
    about: 'A webhook of a team that you own was disabled because its endpoint failed for three days or is gone.',
  },
} as const satisfies { [Kind in Mail['kind']]: Kind extends KindToUser ? typeof always | MailChoice : typeof always }

const choices = new Map<string, typeof always | MailChoice>(Object.entries(mailChoices))

export type OptionalMail = MailChoice & { kind: string }

/** The kinds of mail that can be switched off. */
export const optionalMails: readonly OptionalMail[] = Array.from(choices).flatMap(([kind, choice]) =>
  choice === always ? [] : [{ kind, ...choice }],
)

/** Returns true if the recipient of a mail can switch it off. */
export const canBeMuted = (kind: string): boolean => (choices.get(kind) ?? always) !== always

const recipients = statement<{ email: string; isMuted: boolean }, [userId: string, kind: string]>(
  'recipient_of_mail',
  'SELECT email, $2 = ANY (muted_mails) AS "isMuted" FROM users WHERE id = $1',
)

/**
 * Returns true if a mail is to be sent: its recipient has an address and has not switched it off. The check is made when a mail is written
 * to the outbox, by any writer. Notices about the security of an account are sent to verified addresses only. Links are sent to addresses
 * that the user entered, which are checked when the mail is sent.
 */
export async function isWanted(executor: Executor, mail: Mail): Promise<boolean> {
  if ('recipient' in mail && mail.recipient !== undefined) return canReceiveMail(mail.recipient)
  if (choices.get(mail.kind) === always || !('userId' in mail)) return true
  const [row] = await recipients(executor, mail.userId, mail.kind)
  return row === undefined || (!row.isMuted && canReceiveMail(row.email))
}
