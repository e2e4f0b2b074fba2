import type { NoticeMail } from '../notices/notices.ts'

/** An invitation mail. The link's secret is derived when the mail is sent and never stored. */
export interface InvitationMail {
  kind: 'invitation'
  invitationId: string
  /** Base64url of the invitation's nonce when the mail was queued. If a renewal changed it, the mail is not sent. */
  nonce: string
}

/** A mail with a link or a code. The row of the link contains its purpose and its recipient; without the row, no mail is sent. */
export interface LinkMail {
  kind: 'verify-email' | 'account-exists' | 'change-email' | 'reset-password' | 'prove-account' | 'sign-in-code'
  linkId: string
}

/** Notifies a user that a refresh token was reused, so that all tokens of that authorization were revoked. */
export interface RefreshTokenReuseMail {
  kind: 'refresh-token-reuse'
  userId: string
  /** The chain of tokens that was revoked. Its row refers to the client and the team. */
  chainId: string
  /** Time of the revocation, RFC 3339. */
  at: string
}

/** Notifies an owner that their team was deleted. It contains the address, because the account may be deleted together with the team. */
export interface TeamDeletedMail {
  kind: 'team-deleted'
  teamId: string
  recipient: string
  /** Name of the user who deleted the team, or of the operator; null if the recipient did. */
  actor: string | null
  /** Time of the deletion, RFC 3339. If the team was restored, the mail is not sent. */
  at: string
  until: string
}

/** Reminds someone who can replace a token that it expires soon. If the token was revoked since, the mail is not sent. */
export interface TokenExpiresMail {
  kind: 'token-expires'
  tokenId: string
  userId: string
}

/** Notifies someone of an invoice. If it was paid or cancelled since, the mail is not sent. */
interface AboutInvoice {
  kind: 'invoice-issued' | 'invoice-overdue'
  invoiceId: string
}

/** Notifies an owner or a billing member, or one of the recipients in the billing details, who need no account. */
export type InvoiceMail = AboutInvoice & ({ userId: string; recipient?: undefined } | { userId?: undefined; recipient: string })

/** An entry of the outbox: the identifiers of the subject, never a text or a secret. The rest is read when the mail is sent. */
export type Mail = InvitationMail | LinkMail | RefreshTokenReuseMail | TeamDeletedMail | TokenExpiresMail | InvoiceMail | NoticeMail
