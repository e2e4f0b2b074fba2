import { z } from 'zod'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Name } from '../../web/components/address.tsx'
import { quoteName } from '../../web/display-name.ts'
import { applicationsPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { RevokeGrantDocument } from '../generated/operations.ts'

/** The team of a grant; without a slug, it is for all teams. */
interface GrantTeam {
  team: { name: string } | null
  teamSlug: string | null
}

/** The name of a grant's team, or its slug if the user cannot currently open the team. */
export const TeamOfGrant = ({ grant: { team, teamSlug } }: { grant: GrantTeam }) =>
  teamSlug === null ? <>All your teams</> : <bdi>{team?.name ?? teamSlug}</bdi>

/** Ends the access of an app. The list of apps and the page of an app have this form. */
export const revokeApp = form({
  fields: z.object({ id: text }),
  document: RevokeGrantDocument,
  variables: (input) => ({ input }),
  notice: ({ revokeGrant: { grant } }) => `The access of ${quoteName(grant.client.name)} was revoked.`,
  onSuccess: () => applicationsPath,
})

interface RevokeAppProps {
  grant: GrantTeam & { id: string; client: { name: string } }
  summary: string
}

/** The link to the confirmation, which describes the consequences. A page with this link must declare the form `revoke`. */
export const RevokeApp = ({ grant, summary }: RevokeAppProps) => (
  <ConfirmDialog summary={summary} form="revoke" hidden={{ id: grant.id }} button="Revoke access">
    <Name>{grant.client.name}</Name> immediately loses access to{' '}
    {grant.teamSlug === null ? (
      'your account and all your teams'
    ) : (
      <>
        your account and the team <TeamOfGrant grant={grant} />
      </>
    )}
    , on every device. It keeps what it has already read. To use it again, you must allow access again.
  </ConfirmDialog>
)
