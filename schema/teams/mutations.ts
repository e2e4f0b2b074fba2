import { randomUUID } from 'node:crypto'
import type { User } from '../../prisma/generated/client/client.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { insertRow, updateRows } from '../../prisma/statement/write-row.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import { change, difference } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { lockTeam, lockAccount, lockCaller } from '../core/database/locks.ts'
import { requireVersion, forbidden, invalid, rateLimited } from '../core/errors.ts'
import { sessionOnly } from '../core/requires.ts'
import { requireOwnProof } from '../core/team-access/session-reach.ts'
import { requirePrincipal, requireTeamAccess } from '../core/team-access/team-access.ts'
import { parse, unlessTaken } from '../core/validation.ts'
import { picturePath } from '../pictures/picture-url.ts'
import { acceptedPicture, readPicture, storePicture } from '../pictures/stored-picture.ts'
import { operatorCreateRules, personCreateRules, teamUpdateRules } from './rules.ts'
import { TeamType } from './team.ts'

export const TeamPayload = payloadType<{ team: typeof TeamType.$inferType }>('TeamPayload', {
  description: 'A team after the change.',
  fields: (t) => ({ team: t.expose('team', { type: TeamType, description: 'The team.' }) }),
})

const CreateTeamInput = builder.inputType('CreateTeamInput', {
  fields: (t) => ({
    slug: t.string({ required: true, description: 'The public slug; it never changes.' }),
    name: t.string({ required: true, describedBy: 'Team.name' }),
    timezone: t.string({ describedBy: 'Team.timezone' }),
    owner: t.string({
      description: 'For operators only: email address of the account that becomes the owner. A user owns the teams they create.',
    }),
  }),
})
const UpdateTeamInput = builder.inputType('UpdateTeamInput', {
  description: 'The input of `updateTeam`; an absent field stays as it is.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    name: t.string({ describedBy: 'Team.name' }),
    timezone: t.string({ description: 'IANA time zone; null clears it.' }),
    gravatarEmail: t.string({ description: 'Email address that resolves the avatar; null clears it.' }),
    logo: t.string({ description: `The logo, ${acceptedPicture}` }),
  }),
})

builder.mutationFields((t) => ({
  createTeam: t.field({
    description: 'Creates a team. The signed-in user becomes its owner; their email address must be verified.',
    type: TeamPayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: CreateTeamInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      requireOwnProof(context)
      const { kind } = requirePrincipal(context)
      const { slug, name, timezone, owner } = parse(kind === 'operator' ? operatorCreateRules : personCreateRules, input)
      return change(context, info, async (transaction) => {
        const at = context.now()
        const user = await findFirstOwner(transaction, context, owner)
        const team = {
          id: randomUUID(),
          slug,
          name,
          timezone: timezone ?? null,
          gravatarEmail: null,
          logoId: null,
          createdAt: at,
          updatedAt: at,
          twoFactorRequiredAt: null,
          signInProviderId: null,
          signInRequiredAt: null,
        }
        transaction.defer(unlessTaken('slug', insertRow(transaction, 'teams', team)))
        if (user) transaction.defer(insertRow(transaction, 'members', { teamId: team.id, userId: user.id, role: 'owner', joinedAt: at }))
        const after = { slug, name, timezone: timezone ?? null, owner: user?.email ?? null }
        return { result: { team }, teamId: team.id, subject: slug, after }
      })
    },
  }),
  updateTeam: t.field({
    description: 'Changes a team’s display name, time zone, avatar email or logo.',
    type: TeamPayload,
    requires: { scopes: ['acct:team:write'], roles: ['owner'] },
    args: { input: t.arg({ type: UpdateTeamInput, required: true }) },
    resolve: async (_, { input }, context, info) => {
      const { id } = (await requireTeamAccess(context, input.team)).team
      const { logo: file, ...changes } = parse(teamUpdateRules, input)
      const logo = await readPicture('logo', file, 'contain')
      return change(context, info, async (transaction) => {
        // The team is locked, so that the old values in the audit entry are those that this change replaced.
        const current = await lockTeam(transaction, id)
        requireVersion(context, current.updatedAt)
        const { name, timezone, gravatarEmail, logoId } = current
        const before = { name, timezone, gravatarEmail, logo: picturePath(logoId) }
        const changed = difference(before, { ...changes, ...(logo !== undefined && { logo: picturePath(logo?.id) }) })
        const data = {
          ...changes,
          ...(logo !== undefined && { logoId: logo?.id ?? null }),
          updatedAt: laterThan(context.now(), current.updatedAt),
        }
        if (!changed.isUnchanged) {
          storePicture(transaction, { teamId: id }, logo, context.now())
          transaction.defer(updateRows(transaction, 'teams', { id }, data))
        }
        const team = changed.isUnchanged ? current : { ...current, ...data }
        return { result: { team }, teamId: id, subject: team.slug, ...changed }
      })
    },
  }),
}))

/** Returns the current time, but always later than the last change: two changes within a millisecond must not have one version. */
export const laterThan = (now: Date, last: string) => new Date(Math.max(now.getTime(), Date.parse(last) + 1)).toISOString()

/** Maximum number of teams that one user can create per day. */
const creationLimit = { policy: 'teams-per-person', quota: 20, windowSeconds: 86_400 } as const

/** Finds and locks the first owner of a new team: the user who creates it, or the account in an operator's input, if any. */
async function findFirstOwner(transaction: Transaction, context: Context, ownerEmail: string | null | undefined): Promise<User | null> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'user') {
    if (ownerEmail != null) throw forbidden('role_required')
    return lockCreator(transaction, context, principal.user.id)
  }
  const user = ownerEmail ? await lockAccount(transaction, { email: ownerEmail }) : null
  if (ownerEmail && !user) throw invalid({ owner: ['The selected owner is invalid.'] })
  return user
}

/** Locks the user who creates a team, so that the count of their teams is exact and their account is not deleted by a concurrent request. */
async function lockCreator(transaction: Transaction, context: Context, id: string): Promise<User> {
  const user = await lockCaller(transaction, id)
  if (!user.emailVerified) throw invalid({ email: ['Verify your email address before you create a team.'] })
  const { quota, windowSeconds } = creationLimit
  const windowMilliseconds = windowSeconds * 1000
  const now = context.now().getTime()
  const [oldest] = await oldestCreation(transaction, id, new Date(now - windowMilliseconds), quota - 1)
  if (oldest) throw rateLimited(creationLimit, (Date.parse(oldest.at) + windowMilliseconds - now) / 1000)
  return user
}

// The partial index covers only these entries, and PostgreSQL uses it only if the action is a literal.
const oldestCreation = statement<{ at: string }, [userId: string, since: Date, offset: number]>(
  'oldest_counted_team',
  `SELECT at FROM audit_entries WHERE action = 'createTeam' AND actor_user_id = $1 AND at > $2 ORDER BY at DESC OFFSET $3 LIMIT 1`,
)
