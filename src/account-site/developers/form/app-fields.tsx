import { Choices } from '../../../web/components/forms/choices.tsx'
import { Field, TextArea } from '../../../web/components/forms/field.tsx'
import type { ClientTeam } from '../../generated/operations.ts'

interface TextFieldProps {
  value?: string
  /** True if the value waits for a review. */
  isInReview?: boolean
}

/** The state of a field whose value waits for a review, before its hint. */
export const InReview = () => (
  <>
    <span class="badge caution">In review</span>{' '}
  </>
)

export const AppNameField = ({ value, isInReview = false }: TextFieldProps) => (
  <Field
    name="name"
    label="Name"
    maxLength={255}
    autocomplete="off"
    value={value}
    hint={
      <>
        {isInReview && <InReview />}
        Users see it when they allow access. It must not look like the name of another app.
      </>
    }
  />
)

export const RedirectUrisField = ({ value, isInReview = false }: TextFieldProps) => (
  <TextArea
    name="redirectUris"
    label="Redirect URIs"
    noun="a redirect URI"
    rows={3}
    required={false}
    value={value}
    hint={
      <>
        {isInReview && <InReview />}
        One per line, exactly as the app sends it: https, or http://127.0.0.1 on any port for your computer, such as
        http://127.0.0.1:8080/callback.
      </>
    }
  />
)

const teamModes: { value: ClientTeam; label: string; hint: string }[] = [
  { value: 'REQUIRED', label: 'One team that the user chooses', hint: 'The safest choice for apps that work with a team.' },
  { value: 'OPTIONAL', label: 'One team or all teams, as the user chooses', hint: 'All teams include those that the user joins later.' },
  {
    value: 'NONE',
    label: 'All teams of the user',
    hint: 'Includes teams that the user joins later. If the app only signs users in, this makes no difference.',
  },
]

interface TeamModeFieldProps {
  selected?: ClientTeam
  isLegendHidden?: boolean
}

export const TeamModeField = ({ selected = 'REQUIRED', isLegendHidden = false }: TeamModeFieldProps) => (
  <Choices name="teamMode" legend="Access to teams" isLegendHidden={isLegendHidden} type="radio" options={teamModes} checked={[selected]} />
)
