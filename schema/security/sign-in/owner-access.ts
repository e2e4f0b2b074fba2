import { statement } from '../../../prisma/statement/statement.ts'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockTeam } from '../../core/database/locks.ts'
import { invalid } from '../../core/errors.ts'
import { sendNoticeToOwners } from '../../core/notices/send-notice.ts'
import { confirmationOnly } from '../../core/requires.ts'
import { requireOwnedTeam, requirePerson } from '../../core/team-access/team-access.ts'
import { confirmationPurpose } from './confirm-sign-in.ts'
import { usePasskey, wrongAccount } from './verify-passkey.ts'

const OpenTeamAsOwnerPayload = payloadType<{ slug: string }>('OpenTeamAsOwnerPayload', {
  description: 'The team that the session can open now.',
  fields: (t) => ({ slug: t.exposeString('slug', { description: 'The slug of the team.' }) }),
})

const OpenTeamAsOwnerInput = builder.inputType('OpenTeamAsOwnerInput', {
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    response: t.string({ required: true, description: 'The response of the browser to `viewer.passkeyConfirmation`, as JSON.' }),
  }),
})

const openForSession = statement<object, [sessionId: string, teamId: string]>(
  'open_team_for_session',
  `UPDATE sessions SET owner_access_team_ids = array_append(array_remove(owner_access_team_ids, $2::uuid), $2::uuid) WHERE id::text = $1`,
)

/**
 * Returns true if a passkey opens the team although it requires sign-in through its provider: it is older than the requirement, or was
 * added in a session with that sign-in. Otherwise a stolen password would suffice to add a passkey
 * (docs/decisions/required-sign-in.md#owners).
 */
export async function opensTeam({ database: { prisma } }: Context, passkey: Passkey, teamId: string): Promise<boolean> {
  const { signInRequiredAt, signInRequirementSetAt: since } = await prisma.team.findUniqueOrThrow({ where: { id: teamId } })
  if (signInRequiredAt === null || passkey.ownerAccessTeamIds.includes(teamId)) return true
  return since !== null && passkey.createdAt < since
}

const newPasskey = () =>
  invalid({
    response: [
      'This passkey was added after the team started to require sign-in, in a browser that was not signed in through the identity provider. Use an older passkey, or ask another owner.',
    ],
  })

builder.mutationField('openTeamAsOwner', (t) =>
  t.field({
    description:
      'Lets an owner open a team in this session, although it requires sign-in through its identity provider, by a passkey that signed the challenge of `viewer.passkeyConfirmation`. The other owners receive an email. For the account site.',
    type: OpenTeamAsOwnerPayload,
    requires: { ...confirmationOnly, opensTeam: true },
    args: { input: t.arg({ type: OpenTeamAsOwnerInput, required: true }) },
    async resolve(_, { input }, context, info) {
      const { team } = await requireOwnedTeam(context, input.team)
      const { user, credentialId } = requirePerson(context)
      const passkey = await usePasskey(context, input.response, confirmationPurpose)
      if (passkey.userId !== user.id) throw wrongAccount()
      if (!(await opensTeam(context, passkey, team.id))) throw newPasskey()
      return change(context, info, async (transaction) => {
        const { id, slug, name } = await lockTeam(transaction, team.id)
        transaction.defer(openForSession(transaction, credentialId, id))
        await sendNoticeToOwners(transaction, context, id, 'owner-access', { team: name, slug })
        return { result: { slug }, teamId: id, subject: slug, subjectName: name }
      })
    },
  }),
)
