import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { optionalText, text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { CreateTeamDocument } from '../generated/operations.ts'
import { TeamNameField, TimezoneField, timezoneOf } from './team-fields.tsx'

/** Where a person creates a team, which they own then. */
export const newTeam = page({
  path: '/teams/new',
  title: 'Create a team',
  forms: {
    create: form({
      fields: z.object({ name: text, slug: text, timezone: optionalText }),
      document: CreateTeamDocument,
      variables: ({ timezone, ...input }) => ({ input: { timezone: timezoneOf(timezone), ...input } }),
      notice: 'The team was created. You own it.',
      renews: true,
      done: ({ createTeam }) => `/teams/${createTeam.team.slug}/members`,
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
        hint="Stands in addresses and never changes: lower-case letters, digits and single hyphens, at least 3 characters."
      />
      <TimezoneField value={null} />
      <Buttons>
        <Button>Create the team</Button>
      </Buttons>
    </Form>
  ),
})
