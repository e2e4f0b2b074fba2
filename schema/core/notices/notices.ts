import type { Role } from '../../../prisma/generated/client/enums.ts'

type Nothing = Record<string, never>

interface InTeam {
  team: string
  slug: string
}

/** An OAuth client of a team. */
interface OfClient extends InTeam {
  name: string
  clientId: string
}

/**
 * The mails about changes, and the values that each contains besides its recipient and the circumstances of the change. Texts
 * are in src/mail/templates/notice-mail.ts. Values are names and numbers, never a secret.
 */
export interface Notices {
  /** `keepsSessions` means that the other sessions did not end. `tokensRevoked` is the number of revoked personal tokens. */
  'password-changed': { keepsSessions?: true; tokensRevoked?: number }
  'second-factor-on': Nothing
  'authenticator-added': Nothing
  'authenticator-moved': Nothing
  'second-factor-off': Nothing
  'passkey-added': { name: string }
  'passkey-removed': { name: string }
  /** `email` is the address that the provider states, or null. */
  'identity-linked': { provider: string; email: string | null }
  'identity-unlinked': { provider: string }
  'recovery-codes-created': Nothing
  'recovery-code-used': { left: number }
  'new-device': Nothing
  /** `until` is RFC 3339. */
  'device-trusted': { until: string }
  'personal-token-created': { name: string }
  'team-token-created': InTeam & { name: string }
  'workload-identity-created': InTeam & { name: string; identityId: string; issuer: string }
  'identity-provider': InTeam & {
    name: string
    providerId: string
    what: 'created' | 'changed' | 'deleted' | 'disabled' | 'enabled' | 'agents_on' | 'agents_off'
  }
  /** The provider of the linked account has another issuer, client or certificate. */
  'linked-provider-changed': InTeam & { name: string }
  'app-registered': OfClient
  'app-secret-created': OfClient
  /** `name` is the hint of the token, `expiresAt` is RFC 3339. */
  'initial-access-token-created': InTeam & { name: string; expiresAt: string }
  /** The app has new keys, or may access the team without a user, or both. */
  'app-credentials-added': OfClient & { hasNewKeys: boolean; actsAlone: boolean }
  /** `reason` is null if the operator approved the app, or its changes. */
  'app-reviewed': OfClient & { reason: string | null; isChange: boolean }
  /** `team` is null for a grant without a team. */
  'app-connected': { name: string; team: string | null; provider?: string }
  'role-changed': InTeam & { role: Role }
  'removed-from-team': { team: string }
  /** An owner ended the sessions of the member in the team. */
  'sessions-ended-in-team': InTeam
  /** This notice is sent to the previous owner and the new one. */
  'ownership-transferred': InTeam & { to: string; from: string; role: Role }
  'team-restored': InTeam
  /** `from` is RFC 3339; null if the team only recommends it. */
  'two-factor-required': InTeam & { from: string | null }
  /** `from` is RFC 3339. */
  'sign-in-required': InTeam & { provider: string; from: string }
  'sign-in-not-required': InTeam & { provider: string }
  /** An owner opened the team with a passkey, without the sign-in that it requires. */
  'owner-access': InTeam
  /** An owner opened a support session. `until` is RFC 3339. */
  'support-session-opened': InTeam & { until: string }
  /** The user opened a support session of the account. `until` is RFC 3339. */
  'account-support-opened': { until: string }
  /** The TXT record of a verified domain is missing. `until` is the time when the domain is no longer verified, RFC 3339. */
  'domain-missing': InTeam & { domain: string; until: string }
  'domain-lost': InTeam & { domain: string }
  /** An identity provider or the directory of the team gave an address to another person. */
  'address-moved': InTeam & { email: string }
  /** Deliveries to the webhook fail, or it was disabled because its endpoint failed or no longer exists. */
  'webhook-failing': InTeam & { webhookId: string; host: string }
  'webhook-disabled': InTeam & { webhookId: string; host: string; reason: 'failing' | 'gone' }
  'invitation-accepted': InTeam & { email: string }
  /** This notice is sent to the current address; the new one receives a link. */
  'email-change-requested': Nothing
  /** This notice is sent to the previous address. */
  'email-changed': Nothing
  /** `until` is the time until which the deletion can be undone, RFC 3339. */
  'account-deleted': { until: string }
  'account-restored': Nothing
  /**
   * What staff of the service did, for acts that have no other notice. `team` is null for the user whose account it concerns. `isEnabled`
   * says whether a webhook was enabled or disabled.
   */
  'act-of-staff': { action: NoticedAct; name: string | null; team: { name: string; slug: string } | null; isEnabled: boolean | null }
}

/** The acts of staff that have no other notice. Texts are in src/mail/templates/notices/staff-notices.ts. */
const noticedActs = [
  'disableUser',
  'enableUser',
  'endUserSessions',
  'resendUserVerification',
  'retryMail',
  'resendInvitation',
  'disableClient',
  'enableClient',
  'updateWebhook',
  'revokeToken',
  'revokeGrant',
] as const
export type NoticedAct = (typeof noticedActs)[number]
export const isNoticedAct = (action: string): action is NoticedAct => noticedActs.some((each) => each === action)

export type NoticeKind = keyof Notices

/** Notifies someone of a change. */
export interface NoticeMail<Kind extends NoticeKind = NoticeKind> {
  kind: Kind
  userId: string
  /** The address that receives the mail, if it is not that of the user. */
  recipient?: string
  /** Time of the change, RFC 3339. */
  at: string
  data: Notices[Kind]
  /** Name of the person who made the change, if it was not the user. */
  by?: string
  /** The reason of staff who made the change. */
  staffReason?: string
  /** The browser of the user who made the change, if it is stored. */
  browser?: { userAgent: string; address: string }
}
