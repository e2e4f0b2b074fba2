import { z } from 'zod'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import type { Member, User } from '../../prisma/generated/client/client.ts'
import { change, writeAuditEntry } from '../core/audit/audit.ts'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import { forbidden, invalid } from '../core/errors.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { sendNoticeToOwners } from '../core/notices/send-notice.ts'
import { recentSession } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { accessibleTeamColumns } from '../core/team-access/team-columns.ts'
import { lockAccount } from '../core/database/locks.ts'
import { emailAddress, parse, text } from '../core/validation.ts'
import { restorableAfter } from './team-deletion.ts'
import { TeamPayload } from './mutations.ts'
import { reasonField } from '../core/staff/staff-acts.ts'

const RestoreTeamInput = builder.inputType('RestoreTeamInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug or global id of the deleted team.' }),
    owner: t.string({
      description:
        'For operators only: email address of the account that becomes an owner. Required if the accounts of all owners were deleted or disabled.',
    }),
    reason: t.string(reasonField),
  }),
})
const rules = z.object({ team: text.transform(slugOfTeam), owner: emailAddress.nullish() })

const lockTeamBySlug = statement<object, [slug: string]>('lock_team_by_slug', 'SELECT 1 FROM teams WHERE slug = $1 FOR UPDATE')

const restorableTeam = statement<AccessibleTeam & { hasOwner: boolean }, [slug: string, deletedAfter: Date, ownedBy: string | null]>(
  'restorable_team',
  `SELECT ${accessibleTeamColumns}, has_enabled_owner(t.id) AS "hasOwner"
   FROM teams t WHERE slug = $1 AND deleted_at > $2 AND erased_at IS NULL
     AND ($3::uuid IS NULL OR EXISTS (SELECT FROM members WHERE team_id = t.id AND role = 'owner' AND user_id = $3))`,
)

/** Enables the clients that were disabled with the team, but not those that were disabled before. */
const enableClients = statement<object, [teamId: string, now: Date]>(
  'enable_clients_of_restored_team',
  `UPDATE oauth_clients c SET disabled_at = NULL, updated_at = $2 FROM teams t
   WHERE t.id = $1 AND c.owner_team_id = t.id AND c.disabled_at = t.deleted_at`,
)

const selectMembership = statement<Pick<Member, 'role'> & { accessibleAppIds: string[] | null }, [teamId: string, userId: string]>(
  'membership_of_new_owner',
  `SELECT role, CASE WHEN NOT all_applications THEN to_json(applications) END AS "accessibleAppIds"
   FROM members WHERE team_id = $1 AND user_id = $2`,
)

/** Makes a user an owner, with the audit entry of a member who joins or gets another role. */
async function makeOwner(transaction: Transaction, context: Context, teamId: string, { id: userId, name: subjectName }: User) {
  const [current] = await selectMembership(transaction, teamId, userId)
  const role = 'owner'
  const entry = { teamId, subject: userId, subjectName }
  if (!current) {
    transaction.defer(insertRow(transaction, 'members', { teamId, userId, role, joinedAt: context.now() }))
    writeAuditEntry(transaction, context, 'addMember', { ...entry, after: { role, accessibleAppIds: null } })
  } else if (current.role !== role) {
    const { accessibleAppIds } = current
    transaction.defer(updateRows(transaction, 'members', { teamId, userId }, { role }))
    const [before, after] = [current.role, role].map((each) => ({ role: each, accessibleAppIds }))
    writeAuditEntry(transaction, context, 'updateMember', { ...entry, before, after })
  }
}

builder.mutationField('restoreTeam', (t) =>
  t.field({
    description:
      'Restores a deleted team with its members, tokens, clients and grants. Its invitations stay revoked. For those who were its owners when it was deleted, operators and staff. Its owners receive an email.',
    type: TeamPayload,
    requires: { ...recentSession, isTeamDeleted: true, staffRole: 'support' },
    args: { input: t.arg({ type: RestoreTeamInput, required: true }) },
    resolve: (_, { input }, context, info) => {
      const { team: slug, owner: email } = parse(rules, input)
      const principal = requirePrincipal(context)
      const ownedBy = principal.kind === 'user' ? principal.user.id : null
      if (principal.kind !== 'operator' && email != null) throw forbidden('role_required')
      return change(context, info, async (transaction) => {
        const now = context.now()
        // The team is read under the lock: a concurrent request may have restored it, or the cleanup erased it.
        const [, [restorable], owner] = await Promise.all([
          lockTeamBySlug(transaction, slug),
          restorableTeam(transaction, slug, restorableAfter(context), ownedBy),
          email ? lockAccount(transaction, { email }) : null,
        ])
        if (!restorable) throw invalid({ team: ['There is no deleted team with this slug that can be restored.'] })
        if (email && !owner) throw invalid({ owner: ['The selected owner is invalid.'] })
        const { hasOwner, ...team } = restorable
        if (!hasOwner && !owner)
          throw invalid({ owner: ['The accounts of all owners were deleted or disabled: name an account that becomes the owner.'] })
        const { id, name } = team
        if (owner) await makeOwner(transaction, context, id, owner)
        transaction.defer(enableClients(transaction, id, now))
        transaction.defer(updateRows(transaction, 'teams', { id }, { deletedAt: null, updatedAt: now }))
        await sendNoticeToOwners(transaction, context, id, 'team-restored', { team: name, slug })
        const result = { team: { ...team, updatedAt: now } }
        return { result, teamId: id, subject: slug, subjectName: name, ...(owner && { after: { owner: owner.email } }) }
      })
    },
  }),
)
