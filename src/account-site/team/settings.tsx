import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { optionalText, text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { TeamSettingsDocument, UpdateTeamDocument } from '../generated/operations.ts'
import type { TeamSettingsQuery } from '../generated/operations.ts'
import { Initials, Name } from '../page.tsx'
import { Day } from '../time.tsx'
import { TeamNameField, TimezoneField, timezoneOf } from './team-fields.tsx'

/** The address of a team leads to the first of its pages. */
export const team = page({
  path: '/teams/:team',
  title: 'Team',
  before: ({ path }) => `${path}/settings`,
  view: () => null,
})

const update = form({
  fields: z.object({ name: text, timezone: optionalText, gravatarEmail: optionalText }),
  document: UpdateTeamDocument,
  variables: ({ timezone, ...changes }, visit) => ({ input: { team: visit.param('team'), timezone: timezoneOf(timezone), ...changes } }),
  notice: 'The settings were saved.',
})

/** What a team is called and where it is. */
export const settings = page({
  path: '/teams/:team/settings',
  title: 'Settings',
  nav: { in: 'team', label: 'Settings', order: 10 },
  document: TeamSettingsDocument,
  variables: (visit) => ({ team: visit.param('team') }),
  forms: { update },
  view: ({ team }, visit) => (
    <>
      <section>
        <p class="who">
          <Initials name={team.name} />
          <span>
            <Name>{team.name}</Name> <span class="about">{team.slug}</span>
          </span>
        </p>
        <p>
          Created on <Day at={team.createdAt} />.
        </p>
      </section>
      {visit.may(update.requirements) ? <Change team={team} /> : <Facts team={team} />}
    </>
  ),
})

type Team = TeamSettingsQuery['team']

const Change = ({ team }: { team: Team }) => (
  <Form name="update">
    <TeamNameField value={team.name} />
    <TimezoneField value={team.timezone} />
    <Field
      name="gravatarEmail"
      label="Avatar email"
      inputMode="email"
      required={false}
      autocomplete="off"
      value={team.gravatarEmail ?? ''}
      hint="Applications that show avatars look the team’s up by it. These pages draw the initials, and ask nobody."
    />
    <Buttons>
      <Button>Save</Button>
    </Buttons>
  </Form>
)

const Facts = ({ team: { timezone, gravatarEmail } }: { team: Team }) => (
  <section>
    <h2>What its owners set</h2>
    <dl>
      <dt>Timezone</dt>
      <dd>{timezone ?? 'None'}</dd>
      <dt>Avatar email</dt>
      <dd>{gravatarEmail ? <bdi>{gravatarEmail}</bdi> : 'None'}</dd>
    </dl>
  </section>
)
