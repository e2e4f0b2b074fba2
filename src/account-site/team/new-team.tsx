import { z } from 'zod'
import { slugOfName } from '../../../schema/teams/rules.ts'
import { emailPath, newTeamPath, ownTeamsPath } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { optionalText, text } from '../framework/field-types.ts'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { CreateTeamDocument, NewTeamDocument } from '../generated/operations.ts'
import { TeamNameField } from './team-fields.tsx'
import { TimezoneField, findTimezone } from '../timezone-field.tsx'
import { quoteName } from '../../web/display-name.ts'

/** Creates a team and makes the user its owner. It is the first page of a user who has just signed up. */
export const newTeam = page({
  path: newTeamPath,
  title: (_, { teams }) => (teams.length === 0 ? 'Create your team' : 'Create a team'),
  scripts: ['new-team.js'],
  document: NewTeamDocument,
  forms: {
    create: form({
      fields: z.object({ name: text, slug: text, timezone: optionalText }),
      document: CreateTeamDocument,
      variables: ({ name, slug, timezone }) => ({
        input: { name, slug: slug.trim() || slugOfName(name), timezone: findTimezone(timezone) },
      }),
      notice: ({ createTeam }) => `The team ${quoteName(createTeam.team.name)} was created.`,
      renewsSession: true,
      onSuccess: ({ createTeam }) => `/teams/${createTeam.team.slug}`,
    }),
  },
  view({ viewer: { invitations } }, ctx) {
    const { person } = ctx
    if (person && !person.user.emailVerified) return <Unverified email={person.user.email} />
    showUsedSlug(ctx)
    return (
      <>
        {invitations.length > 0 && (
          <p>
            You are invited to {invitations.length === 1 ? 'a team' : `${invitations.length} teams`}.{' '}
            <a href={ownTeamsPath}>{invitations.length === 1 ? 'View the invitation' : 'View the invitations'}</a>
          </p>
        )}
        <Form name="create">
          <FieldGroup
            id="general"
            title="General"
            about="Members, invitations and invoices show the name. You become the owner of the team and can invite people."
          >
            <TeamNameField hasFocus />
            <Field
              name="slug"
              label="Slug"
              autocomplete="off"
              required={false}
              value=""
              maxLength={64}
              hint="Names the team in web addresses, such as /teams/acme, and in the API. You cannot change it later. If empty, it is made from the name."
            />
            <TimezoneField value={person?.timeSettings?.timezone ?? null} />
          </FieldGroup>
          <Buttons>
            <Button>Create team</Button>
            {ctx.teams.length > 0 && (
              <a class="button second" href={ownTeamsPath}>
                Cancel
              </a>
            )}
          </Buttons>
        </Form>
      </>
    )
  },
})

/** A refused form shows the slug that was made from the name, so that the user can change it. */
function showUsedSlug(ctx: PageContext): void {
  const { refused } = ctx
  const { name, slug } = refused?.values ?? {}
  if (refused && typeof name === 'string' && slug === '')
    ctx.refused = { ...refused, values: { ...refused.values, slug: slugOfName(name) } }
}

const Unverified = ({ email }: { email: string }) =>
  hasAddress(email) ? (
    <p>
      Verify your email address first: open the link in the email that we sent to <StrongAddress>{email}</StrongAddress>.{' '}
      <a href={emailPath}>Send it again</a>
    </p>
  ) : (
    <p>
      Your account has no email address. <a href={emailPath}>Add one</a> first.
    </p>
  )
