import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { confirmationOnly } from '../../core/requires.ts'
import { lacksSignIn } from '../../core/team-access/required-sign-in.ts'
import { requirePerson, teamsLackingSignIn } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'

interface MissingSignIn {
  teamSlug: string
  providerId: string
  providerName: string
}

const MissingSignInType = builder.objectRef<MissingSignIn>('MissingSignIn').implement({
  description:
    'A sign-in through an identity provider that a team of the user requires, without which the team is closed. For the account site.',
  fields: (t) => ({
    teamSlug: t.exposeString('teamSlug', { description: 'Slug of the team.' }),
    providerId: t.exposeID('providerId', { description: 'The identifier of the identity provider.' }),
    providerName: t.exposeString('providerName', { description: 'The name of the identity provider.' }),
  }),
})

const providersByIds = statement<{ id: string; name: string }, [ids: readonly string[]]>(
  'names_of_required_providers',
  'SELECT id, name FROM identity_providers WHERE id = ANY ($1::uuid[])',
)

builder.objectField(ViewerType, 'missingSignIns', (t) =>
  t.field({
    description: 'The sign-ins that teams of the user require now, and that this session lacks. For the account site.',
    type: [MissingSignInType],
    requires: confirmationOnly,
    async resolve(_, __, context) {
      const caller = requirePerson(context)
      const closed = (await teamsLackingSignIn(context, caller)).filter((each) => lacksSignIn(each, caller, context))
      if (closed.length === 0) return []
      const providerIds = closed.flatMap(({ team }) => team.signInProviderId ?? [])
      const names = new Map((await providersByIds(context.database.pool, providerIds)).map(({ id, name }) => [id, name]))
      return closed.flatMap(({ team: { slug: teamSlug, signInProviderId: providerId } }) => {
        const providerName = providerId === null ? undefined : names.get(providerId)
        return providerId === null || providerName === undefined ? [] : { teamSlug, providerId, providerName }
      })
    },
  }),
)
