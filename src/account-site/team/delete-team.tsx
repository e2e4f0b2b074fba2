import { z } from 'zod'
import { form } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { DeleteTeamDocument } from '../generated/operations.ts'
import { Name } from '../../web/components/address.tsx'
import { deletedTeamsPath } from '../../web/page-paths.ts'
import { counted } from '../labels.ts'
import { quoteName } from '../../web/display-name.ts'

/** Deletes the team of the page. The user types its slug, so that a click alone deletes nothing. */
export const deletion = form({
  fields: z.object({ confirmSlug: text }),
  document: DeleteTeamDocument,
  // Keyboards of phones begin a field with a capital letter.
  variables: ({ confirmSlug }, ctx) => ({ input: { team: ctx.param('team'), confirmSlug: confirmSlug.toLowerCase() } }),
  notice: (_, { team }) => `The team ${quoteName(team?.team.name ?? '')} was deleted. You can restore it on this page.`,
  renewsSession: true,
  onSuccess: () => deletedTeamsPath,
})

interface DeletionSectionProps {
  team: { name: string; slug: string }
  /** For how long a deleted team can be restored. */
  restorableDays: number
}

/** The consequences of deleting the team, and the form that deletes it. */
export const DeletionSection = ({ team: { name, slug }, restorableDays }: DeletionSectionProps) => (
  <FieldGroup
    id="delete"
    title="Delete this team"
    about={`An owner can restore a deleted team for ${counted(restorableDays, 'day', 'days')}.`}
    isDangerous
  >
    <p>If you delete this team:</p>
    <ul>
      <li>All members lose access immediately.</li>
      <li>Its tokens and connected apps stop working immediately.</li>
      <li>Pending invitations are revoked.</li>
      <li>Invoices are kept, as the law requires.</li>
    </ul>
    <ConfirmDialog
      summary="Delete this team…"
      form="delete"
      button="Delete this team"
      fields={
        <Field
          name="confirmSlug"
          noun="the slug of the team"
          label="Type the team’s slug to confirm"
          hint={`The slug is ${slug}`}
          autocomplete="off"
          maxLength={64}
        />
      }
    >
      Every owner of <Name>{name}</Name> receives an email that says until when an owner can restore the team with its members, tokens and
      connected apps. After that it is permanently deleted, and no other team gets its slug.
    </ConfirmDialog>
  </FieldGroup>
)
