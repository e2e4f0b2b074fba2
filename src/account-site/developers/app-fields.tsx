import { Choices } from '../../web/components/forms/choices.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { TextArea } from '../../web/components/forms/text-area.tsx'
import type { ClientTeam } from '../generated/operations.ts'

export const NameField = ({ value }: { value?: string }) => (
  <Field
    name="name"
    label="Name"
    maxLength={255}
    autocomplete="off"
    value={value}
    hint="Users see it when they allow access. It must not look like the name of another app."
  />
)

export const RedirectUrisField = ({ value }: { value?: string }) => (
  <TextArea
    name="redirectUris"
    label="Redirect URIs"
    noun="a redirect URI"
    rows={3}
    required={false}
    value={value}
    hint="Where the browser returns to your app, one in each line, compared exactly: https, or http://127.0.0.1 on any port for development. Only apps that users open in a browser have them."
  />
)

const teamModes: { value: ClientTeam; label: string; hint: string }[] = [
  { value: 'REQUIRED', label: 'One team, which the user chooses', hint: 'The safest choice for an app that works for a team.' },
  { value: 'OPTIONAL', label: 'One team or all teams of the user, as the user chooses', hint: 'Also teams that the user joins later.' },
  {
    value: 'NONE',
    label: 'All teams of the user',
    hint: 'Also teams that the user joins later. For apps that only sign users in, it does not matter.',
  },
]

export const TeamModeField = ({ selected = 'REQUIRED' }: { selected?: ClientTeam }) => (
  <Choices name="teamMode" legend="Access to teams" type="radio" options={teamModes} checked={[selected]} />
)
