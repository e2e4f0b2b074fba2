import { z } from 'zod'
import { teamsOwnedAlone } from '../../../schema/account-deletion.ts'
import { accountPath, signInPath } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { Button, Buttons, Form } from '../form.tsx'
import { DeleteAccountDocument } from '../generated/operations.ts'
import { Name } from '../page.tsx'

/** Where somebody ends their account. */
export const deleteAccount = page({
  path: '/account/delete',
  title: 'Delete your account',
  recentSignIn: true,
  forms: {
    delete: form({
      fields: z.object({}),
      document: DeleteAccountDocument,
      variables: () => ({}),
      notice: 'Your account was deleted.',
      async done(_, { site, request, response }) {
        await site.sessions.signOut(request, response)
        return signInPath
      },
    }),
  },
  async view(_, { person, site }) {
    if (!person) return null
    const teams = await teamsOwnedAlone(site.database.prisma, person.user.id)
    return teams.length > 0 ? <LastOwner teams={teams} /> : <Deletion email={person.user.email} />
  },
})

const Deletion = ({ email }: { email: string }) => (
  <>
    <p>
      The account of <Name>{email}</Name> is deleted at once and for good: you leave all your teams, and your personal tokens and what you
      allowed applications end. What you made in your teams stays theirs.
    </p>
    <Form name="delete">
      <Buttons>
        <Button kind="danger">Delete my account</Button>
        <a class="button second" href={accountPath}>
          Keep it
        </a>
      </Buttons>
    </Form>
  </>
)

/** Said before it is asked for: the deletion would be refused. */
const LastOwner = ({ teams }: { teams: readonly { name: string; slug: string }[] }) => (
  <>
    <p>You are the last owner of these teams. Make another member an owner of each first:</p>
    <ul>
      {teams.map(({ name, slug }) => (
        <li>
          <a href={`/teams/${slug}/members`}>
            <bdi>{name}</bdi> ({slug})
          </a>
        </li>
      ))}
    </ul>
  </>
)
