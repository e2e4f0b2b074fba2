import { z } from 'zod'
import { ownTeamsPath, deletedTeamsPath } from '../../web/page-paths.ts'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Name } from '../../web/components/address.tsx'
import { DateTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { DeletedTeamsDocument, RestoreTeamDocument } from '../generated/operations.ts'
import { counted } from '../labels.ts'
import { quoteName } from '../../web/display-name.ts'

/** The teams that the user owned when they were deleted. Each can be restored for some days (DELETED_TEAM_DAYS). */
export const deletedTeams = page({
  path: deletedTeamsPath,
  title: 'Deleted teams',
  nav: { group: 'account', icon: 'trash', order: 50 },
  document: DeletedTeamsDocument,
  forms: {
    restore: form({
      fields: z.object({ team: text }),
      document: RestoreTeamDocument,
      variables: (input) => ({ input }),
      notice: ({ restoreTeam }) =>
        `The team ${quoteName(restoreTeam.team.name)} was restored. Its members, tokens and connected apps have access again.`,
      renewsSession: true,
      onSuccess: ({ restoreTeam }) => `/teams/${restoreTeam.team.slug}/settings`,
    }),
  },
  view: ({ deletedTeams }, { graphqlContext: { deletedTeamDays } }) =>
    deletedTeams.length === 0 ? (
      <ListCard
        id="deleted-teams"
        total={0}
        noun={['deleted team', 'deleted teams']}
        action={
          <a class="button second" href={ownTeamsPath}>
            Go to your teams
          </a>
        }
        empty={`Owners can restore a team for ${counted(deletedTeamDays, 'day', 'days')} after its deletion.`}
      />
    ) : (
      deletedTeams.map(({ slug, name, deletedAt, restorableUntil }) => (
        <section>
          <h2>
            <Name>{name}</Name>
          </h2>
          <p>
            Deleted on <DateTime at={deletedAt} />. You can restore it until <DateTime at={restorableUntil} />.
          </p>
          <Form name="restore" hidden={{ team: slug }}>
            <Button>
              Restore{' '}
              <span class="visually-hidden">
                <Name>{name}</Name>
              </span>
            </Button>
          </Form>
        </section>
      ))
    ),
})
