import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { optionalText, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { CreateTeamDocument } from '../generated/operations.ts'
import { TeamNameField } from './team-fields.tsx'
import { TimezoneField, timezoneOf } from '../timezone-field.tsx'
import { quoteName } from '../../web/display-name.ts'

/** Creates a team, of which the user becomes the owner. */
export const newTeam = page({
  path: '/teams/new',
  title: 'Create a team',
  forms: {
    create: form({
      fields: z.object({ name: text, slug: text, timezone: optionalText }),
      document: CreateTeamDocument,
      variables: ({ timezone, ...input }) => ({ input: { timezone: timezoneOf(timezone), ...input } }),
      notice: ({ createTeam }) => `The team ${quoteName(createTeam.team.name)} was created.`,
      renewsSession: true,
      onSuccess: ({ createTeam }) => `/teams/${createTeam.team.slug}/members`,
    }),
  },
  view: () => (
    <Form name="create">
      <TeamNameField />
      <Field
        name="slug"
        label="Slug"
        autocomplete="off"
        maxLength={64}
        hint="Used in web addresses. You cannot change it later. Use at least 3 lower-case letters, digits and single hyphens."
      />
      <TimezoneField value={null} none="none" />
      <Buttons>
        <Button>Create team</Button>
      </Buttons>
    </Form>
  ),
})
