import { Address, Name } from '../../web/components/address.tsx'
import { z } from 'zod'
import { seeSupportSession } from '../../../schema/teams/support-sessions/support-session.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { file, optionalText, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { PictureField, pictureScript } from '../picture-field.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { TeamSettingsDocument, UpdateTeamDocument } from '../generated/operations.ts'
import type { TeamSettingsQuery } from '../generated/operations.ts'
import { Avatar } from '../../web/components/avatar.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Day } from '../../web/components/time.tsx'
import { deletion, DeletionSection } from './delete-team.tsx'
import { endTeamSupport, openTeamSupport, TeamSupportSection } from './team-support.tsx'
import { transfer, TransferSection } from './transfer-ownership.tsx'
import { TeamNameField } from './team-fields.tsx'
import { TimezoneField, findTimezone } from '../timezone-field.tsx'
import { quoteName } from '../../web/display-name.ts'

const update = form({
  fields: z.object({ name: text, timezone: optionalText, gravatarEmail: optionalText, logo: file }),
  takesFile: true,
  document: UpdateTeamDocument,
  variables: ({ timezone, logo, ...changes }, ctx) => ({
    input: { team: ctx.param('team'), timezone: findTimezone(timezone), ...changes, ...(logo !== undefined && { logo }) },
  }),
  notice: ({ updateTeam }) => `The details of ${quoteName(updateTeam.team.name)} were saved.`,
})

/** Id of the form that removes the logo. Its button is in another form. */
const removeLogoForm = 'remove-logo-form'

const removeLogo = form({
  fields: z.object({}),
  document: UpdateTeamDocument,
  variables: (_, ctx) => ({ input: { team: ctx.param('team'), logo: null } }),
  notice: ({ updateTeam }) => `The logo of ${quoteName(updateTeam.team.name)} was removed.`,
})

/** Name, time zone, avatar and logo of a team. */
export const teamSettings = page({
  path: '/teams/:team/settings',
  title: 'Settings',
  nav: { group: 'settings', icon: 'settings', order: 0, isForEveryone: true },
  document: TeamSettingsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), seesSupportAccess: ctx.isAllowed([seeSupportSession]) }),
  scripts: [pictureScript],
  forms: { update, 'remove-logo': removeLogo, transfer, delete: deletion, 'open-support': openTeamSupport, 'end-support': endTeamSupport },
  view: ({ team }, ctx) => (
    <>
      {ctx.isAllowed(update.requirements) ? <SettingsForm team={team} /> : <Details team={team} isReader={ctx.supportSession !== null} />}
      {team.supportSession !== undefined && <TeamSupportSection session={team.supportSession} ctx={ctx} />}
      {ctx.isAllowed(transfer.requirements) && <TransferSection />}
      {ctx.isAllowed(deletion.requirements) && <DeletionSection team={team} restorableDays={ctx.graphqlContext.deletedTeamDays} />}
    </>
  ),
})

type Team = TeamSettingsQuery['team']

const SettingsForm = ({ team }: { team: Team }) => (
  <>
    <Form name="update" hasFile>
      <FieldGroup id="general" title="General" about="Members, invitations and invoices show the name. The API uses the slug.">
        <TeamNameField value={team.name} />
        <Facts>
          <Fact name="Slug">
            {team.slug} <span class="about">Names the team in web addresses and in the API. It cannot be changed.</span>
          </Fact>
          <Fact name="Created">
            <Day at={team.createdAt} />
          </Fact>
        </Facts>
        <TimezoneField value={team.timezone} />
      </FieldGroup>
      <FieldGroup
        id="logo"
        title="Logo"
        about="Pages and products show the logo next to the name of the team. Without a logo, products use the avatar email."
      >
        <PictureField name="logo" label="Logo" of="team" owner={team.name} picture={team.logoUrl} removeForm={removeLogoForm} />
        <Field
          name="gravatarEmail"
          label="Avatar email"
          inputMode="email"
          required={false}
          autocomplete="off"
          value={team.gravatarEmail ?? ''}
          hint="Products show the avatar that Gravatar has for this email address."
        />
      </FieldGroup>
      <Buttons>
        <Button>Save</Button>
      </Buttons>
    </Form>
    {team.logoUrl !== null && (
      <div hidden>
        <Form name="remove-logo" id={removeLogoForm} />
      </div>
    )}
  </>
)

/** What members who cannot change the settings see, and staff in a support session, who are no members. */
const Details = ({ team, isReader }: { team: Team; isReader: boolean }) => (
  <>
    <section>
      <p class="who">
        <Avatar of="team" name={team.name} picture={team.logoUrl} />
        <Name>{team.name}</Name>
      </p>
      <Facts>
        <Fact name="Slug">{team.slug}</Fact>
        <Fact name="Created">
          <Day at={team.createdAt} />
        </Fact>
        {team.timezone !== null && <Fact name="Time zone">{team.timezone}</Fact>}
        {team.gravatarEmail !== null && (
          <Fact name="Avatar email">
            <Address>{team.gravatarEmail}</Address>
          </Fact>
        )}
      </Facts>
    </section>
    {!isReader && (
      <p>
        Only owners can change the settings of the team. <a href={`/teams/${team.slug}/members?role=OWNER`}>View the owners</a>
      </p>
    )}
  </>
)
