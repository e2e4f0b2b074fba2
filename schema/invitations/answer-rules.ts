import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Invitation } from '../../prisma/generated/client/client.ts'
import { lockEnabledAccount } from '../core/database/locks.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { forbidden, invalid, notFound, unauthenticated } from '../core/errors.ts'
import { isWorkingClient } from '../core/team-access/machines.ts'
import { isLiveAt } from '../core/team-access/live.ts'
import { accessibleTeamColumns } from '../core/team-access/team-columns.ts'
import type { Requirement } from '../core/requires.ts'
import { sha256 } from '../core/sha256.ts'
import { requireOwnProof } from '../core/team-access/session-reach.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier, refused, required } from '../core/validation.ts'
import { statusAt } from './invitation.ts'
import { alreadyMember } from './rules.ts'

/**
 * Users answer their own invitations, in a session or with a personal token. An OAuth grant is bound to its team, and a
 * team token represents no user; neither can answer (docs/decisions/invitations.md#accepting).
 */
export const respondToInvitations: Requirement = {
  scopes: ['acct:team:invitations:write'],
  authenticationMethod: ['session', 'personal_token'],
}

// The statement also finds a deleted team: the deletion has revoked the invitation, and the error says that instead of `team_forbidden`.
const lockTeamOfInvitation = statement<AccessibleTeam, [tokenHash: Uint8Array | null, id: string | null]>(
  'lock_team_of_invitation',
  `SELECT ${accessibleTeamColumns} FROM teams WHERE id = (SELECT team_id FROM invitations WHERE token_hash = $1 OR id = $2) FOR UPDATE`,
)

/** Selects a row if the account belongs to another team (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches). */
const managedElsewhere = statement<object, [userId: string, teamId: string]>(
  'account_managed_by_another_team',
  `SELECT FROM users u WHERE u.id = $1 AND u.created_by_team_id <> $2
     AND NOT EXISTS (SELECT FROM members m WHERE m.user_id = u.id AND m.team_id <> u.created_by_team_id)`,
)

/** Identifies the invitation by one of the two members. */
interface InvitationKey {
  token?: string | null | undefined
  id?: string | null | undefined
}

const invitationByToken = `SELECT id, team_id AS "teamId", email, role, all_applications AS "allApplications",
    to_json(applications) AS applications, status, token_hash AS "tokenHash", nonce, invited_by_id AS "invitedById",
    invited_by_token_id AS "invitedByTokenId", invited_by_machine_id AS "invitedByMachineId", directory_user_id AS "directoryUserId", accepted_by_id AS "acceptedById", created_at AS "createdAt", sent_at AS "sentAt",
    expires_at AS "expiresAt", answered_at AS "answeredAt"
  FROM invitations WHERE token_hash = $1 OR id = $2`

/**
 * Finds the pending invitation for a link's secret or by its identifier, locks its team and checks that the caller is the invited user.
 * Throws `not_found` for an unknown or replaced link and for the identifier of an invitation of somebody else. Throws `validation_failed`
 * for one that was answered or has expired, and unless exactly one of token and identifier is set.
 */
export async function lockPendingInvitation(transaction: Transaction, context: Context, { token, id: globalId }: InvitationKey) {
  const id = typeof globalId === 'string' ? parseIdentifier(globalId, ['InvitationTerms']) : globalId
  const principal = requirePrincipal(context)
  if (principal.kind !== 'user') throw notFound()
  if ([token, id].filter((each) => typeof each === 'string').length !== 1) throw refused({ token: [required] })
  if (typeof id === 'string' && !isIdentifier(id)) throw notFound()
  const key = [token ? sha256(token) : null, id ?? null] as const
  const [[team], selection, person] = await Promise.all([
    lockTeamOfInvitation(transaction, ...key),
    // The invitation is read under the lock, because another request may have answered or renewed it.
    transaction.query({ name: 'invitation_by_token', text: invitationByToken, values: [...key] }),
    // The lock keeps the account from being deleted before the membership is written.
    lockEnabledAccount(transaction, { id: principal.user.id }),
  ])
  const invitation: Invitation | undefined = selection.rows[0]
  if (!team || !invitation) throw notFound()
  requireOwnProof(context, team.id)
  // Such a token may have been created in a session of the provider.
  if (principal.authenticationMethod !== 'session' && (await managedElsewhere(transaction, principal.user.id, team.id)).length > 0)
    throw forbidden('session_required')
  const isInvited = person?.email === invitation.email && person.emailVerified
  if (id && !isInvited) throw notFound()
  const status = statusAt(invitation, context.now())
  if (status !== 'pending') throw invalid({ token: [`The invitation is ${status}.`] })
  if (!person) throw unauthenticated()
  if (!isInvited) throw invalid({ email: ['This invitation is for another email address. Sign in with that address and verify it.'] })
  return { invitation, team, person }
}

/** SQL condition that the sender of `invitations i` may still invite at $2: an enabled owner, a live token or a working machine. */
const mayInvite = `(EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id
     WHERE m.team_id = i.team_id AND m.user_id = i.invited_by_id AND m.role = 'owner' AND u.disabled_at IS NULL)
   OR i.invited_by_id IS NULL AND (EXISTS (SELECT FROM access_tokens t WHERE t.id = i.invited_by_token_id AND ${isLiveAt('$2', 't')})
     OR EXISTS (SELECT FROM oauth_clients c WHERE c.id = i.invited_by_machine_id AND c.owner_team_id = i.team_id AND ${isWorkingClient})
     OR EXISTS (SELECT FROM workload_identities w WHERE w.id = i.invited_by_machine_id)))`

/** Returns the invitations among these identifiers whose sender may still invite. */
export const invitersWhoMayInvite = statement<{ id: string }, [ids: readonly string[], now: Date]>(
  'inviters_who_may_invite',
  `SELECT i.id FROM invitations i WHERE i.id = ANY ($1) AND ${mayInvite}`,
)

interface Acceptance {
  mayInvite: boolean
  isMember: boolean
  /** The user who sent the invitation, if their account exists. */
  inviter: { id: string; emailVerified: boolean } | null
}

const selectAcceptance = statement<Acceptance, [id: string, now: Date]>(
  'acceptance_of_invitation',
  `SELECT ${mayInvite} AS "mayInvite",
     EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = i.team_id AND u.email = i.email) AS "isMember",
     (SELECT json_build_object('id', u.id, 'emailVerified', u.email_verified) FROM users u WHERE u.id = i.invited_by_id) AS inviter
   FROM invitations i WHERE i.id = $1`,
)

/**
 * Throws if the sender may no longer invite, and `already_member` if the address belongs to a member. Returns the sender. Only accepting
 * requires this; declining is always possible.
 */
export async function requireAcceptable(transaction: Transaction, context: Context, id: string): Promise<Acceptance['inviter']> {
  const [acceptance] = await selectAcceptance(transaction, id, context.now())
  if (!acceptance?.mayInvite) throw invalid({ token: ['The person who sent this invitation can no longer invite members.'] })
  if (acceptance.isMember) throw alreadyMember()
  return acceptance.inviter
}
