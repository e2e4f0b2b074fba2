import { z } from 'zod'
import { deletionDays, erasureAfter } from '../../../schema/accounts/deletion/pending-deletion.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { invalid } from '../../../schema/core/errors.ts'
import { hasAddress, shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { normalizeEmail } from '../../../schema/core/validation.ts'
import { dataPath, signInPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { list, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { DeleteAccountDocument, SolelyOwnedTeamsDocument } from '../generated/operations.ts'
import type { SolelyOwnedTeamsQuery } from '../generated/operations.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { defaultTimes, formatDate } from '../../web/time-format.ts'

/** The page on which users delete their account. */
export const deleteAccount = page({
  path: '/account/delete',
  title: 'Delete your account',
  parent: dataPath,
  recentSignIn: true,
  document: SolelyOwnedTeamsDocument,
  forms: {
    delete: form({
      fields: z.object({ deleteTeams: list, typedEmail: text }),
      document: DeleteAccountDocument,
      // The user types the address, so that a wrong click does not delete an account.
      async guard({ typedEmail }, { person }) {
        const { name = '', email = '' } = person?.user ?? {}
        if (hasAddress(email) && normalizeEmail(typedEmail) !== email)
          throw invalid({ typedEmail: ['This is not the email address of the account.'] })
        if (!hasAddress(email) && typedEmail.trim() !== name) throw invalid({ typedEmail: ['This is not the name of the account.'] })
      },
      variables: ({ deleteTeams }) => ({ input: { deleteTeams } }),
      notice: (_, { site, person }) =>
        `Your account is scheduled for deletion on ${formatDate(erasureAfter(site.now()), person?.timeSettings ?? defaultTimes)}. Sign in before then to keep it.`,
      async onSuccess(_, { site, request, response }) {
        await site.sessions.signOut(request, response)
        return signInPath
      },
    }),
  },
  view({ viewer: { solelyOwnedTeams } }, { person }) {
    const shared = solelyOwnedTeams.filter(({ hasOtherMembers }) => hasOtherMembers)
    return shared.length > 0 ? <SharedTeams teams={shared} /> : <Deletion person={person} teams={solelyOwnedTeams} />
  },
})

type Team = SolelyOwnedTeamsQuery['viewer']['solelyOwnedTeams'][number]

interface DeletionProps {
  person: UserPrincipal | null
  teams: readonly Team[]
}

const Deletion = ({ person, teams }: DeletionProps) => (
  <>
    <p>
      If you delete the account of <StrongAddress>{person ? shownAddress(person.user.email, person.user.name) : ''}</StrongAddress>:
    </p>
    <ul>
      <li>You will be signed out in all browsers.</li>
      <li>Your personal tokens and connected apps stop working immediately.</li>
      <li>You can undo the deletion for {deletionDays} days by signing in.</li>
      <li>After {deletionDays} days, your account is erased and removed from its teams. What you created in them is kept.</li>
    </ul>
    <Form name="delete">
      {teams.length > 0 && (
        <Choices
          name="deleteTeams"
          legend="Teams that are deleted with your account"
          noun="team"
          type="checkbox"
          options={teams.map(({ name, slug }) => ({
            value: slug,
            label: (
              <>
                Delete the team <bdi>{name}</bdi> ({slug})
              </>
            ),
          }))}
          hint="You are the only member of these teams. Select all of them, or first make someone else an owner of those to keep. You can restore a deleted team for some days after you undo the deletion of your account."
        />
      )}
      {hasAddress(person?.user.email ?? '') ? (
        <Field
          name="typedEmail"
          label="Type your email address to confirm"
          noun="your email address"
          inputMode="email"
          autocomplete="off"
        />
      ) : (
        <Field name="typedEmail" label="Type your name to confirm" noun="your name" autocomplete="off" />
      )}
      <Buttons>
        <Button kind="danger">Delete account</Button>
        <a class="button second" href={dataPath}>
          Cancel
        </a>
      </Buttons>
    </Form>
  </>
)

/** A notice in place of the form, because the deletion would be refused. */
const SharedTeams = ({ teams }: { teams: readonly Team[] }) => (
  <>
    <p>
      You are the last owner of these teams, which have other members. Make one of the members an owner, or delete the team, before you
      delete your account:
    </p>
    <ul>
      {teams.map(({ name, slug }) => (
        <li>
          <bdi>{name}</bdi> ({slug}): <a href={`/teams/${slug}/members`}>members</a>, <a href={`/teams/${slug}/settings`}>settings</a>
        </li>
      ))}
    </ul>
  </>
)
