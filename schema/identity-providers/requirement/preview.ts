import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { sessionOnly } from '../../core/requires.ts'
import { signInsCountSince } from '../../core/team-access/required-sign-in.ts'
import { requirePerson, requireTeamAccessById } from '../../core/team-access/team-access.ts'
import { TeamType } from '../../teams/team.ts'
import { wouldLoseAccess } from './own-sign-in.ts'

interface Counts {
  providerId: string
  members: number
  withoutSignIn: number
}

/** The consequences of requiring sign-in through a provider. */
interface Preview extends Counts {
  viewerWouldLoseAccess: boolean
  viewerHasPasskey: boolean
}

const PreviewType = builder.objectRef<Preview>('SignInRequirementPreview').implement({
  description: 'What follows if a team requires sign-in through one of its identity providers. For account-site sessions.',
  fields: (t) => ({
    providerId: t.exposeID('providerId', { description: 'The identifier of the identity provider.' }),
    members: t.exposeInt('members', { description: 'How many members it concerns. They receive an email.' }),
    withoutSignIn: t.exposeInt('withoutSignIn', {
      description: 'How many of them have not signed in there, or too long ago. They have no access until they do.',
    }),
    viewerWouldLoseAccess: t.exposeBoolean('viewerWouldLoseAccess', {
      description:
        'Whether the viewer would be without access: the requirement concerns the viewer, who has not signed in there in this session. It is refused then.',
    }),
    viewerHasPasskey: t.exposeBoolean('viewerHasPasskey', {
      description: 'Whether the viewer has a passkey, with which an owner can open the team if the identity provider fails.',
    }),
  }),
})

const countConcerned = statement<Counts, [teamId: string, since: Date]>(
  'count_members_of_required_sign_in',
  `SELECT p.id AS "providerId", count(c.at)::int AS members,
     count(*) FILTER (WHERE c.at <= extract(epoch FROM $2::timestamptz))::int AS "withoutSignIn"
   FROM identity_providers p LEFT JOIN LATERAL (SELECT last_required_sign_in(p.team_id, p.id, u.id, u.email) AS at
     FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = p.team_id AND u.disabled_at IS NULL) c ON true
   WHERE p.team_id = $1 GROUP BY p.id, p.created_at ORDER BY p.created_at, p.id`,
)
const anyPasskey = statement<object, [userId: string]>('user_has_passkey', 'SELECT 1 FROM passkeys WHERE user_id = $1 LIMIT 1')

/** The field counts the members of the whole team for each provider. */
const complexity = 100

builder.objectField(TeamType, 'signInRequirementPreviews', (t) =>
  t.field({
    description: 'What follows if the team requires sign-in through each of its identity providers. For account-site sessions.',
    type: [PreviewType],
    requires: { ...sessionOnly, roles: ['owner'] },
    complexity,
    async resolve({ id }, _, context) {
      const { pool } = context.database
      const [access, counts, [passkey]] = await Promise.all([
        requireTeamAccessById(context, id),
        countConcerned(pool, id, signInsCountSince(context)),
        anyPasskey(pool, requirePerson(context).user.id),
      ])
      const loadPreview = async (each: Counts): Promise<Preview> => ({
        ...each,
        viewerWouldLoseAccess: await wouldLoseAccess(pool, context, access, each.providerId),
        viewerHasPasskey: passkey !== undefined,
      })
      return Promise.all(counts.map(loadPreview))
    },
  }),
)
