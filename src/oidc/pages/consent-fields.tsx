import { Name, Names } from '../../web/components/address.tsx'
import type { MarkedApp } from '../../web/components/app-mark.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { WriteBadge } from '../../web/components/scope-list.tsx'
import { Select } from '../../web/components/forms/field.tsx'
import { isolateName } from '../../web/display-name.ts'

export interface TeamFieldProps {
  app: MarkedApp
  /** Values of the field; `team` is null for all teams of the user. */
  teams: readonly { value: string; team: { slug: string; name: string } | null; isConnected: boolean }[]
  /** The initially selected value; empty or null if there is none. */
  initialTeam: string | null
}

/** The team for which the app gets access. */
export const TeamField = ({ app, teams, initialTeam }: TeamFieldProps) => {
  const isAllOffered = teams.some(({ team }) => team === null)
  return (
    <>
      <Select
        name="team"
        label="Team"
        required
        options={[
          ...(teams.length > 1 ? [{ value: '', label: 'Choose a team' }] : []),
          // An option contains only text, so markup cannot isolate characters in the name that change the writing direction.
          ...teams.map(({ value, team }) => ({ value, label: team ? `${isolateName(team.name)} (${team.slug})` : 'All your teams' })),
        ]}
        selected={initialTeam ?? ''}
        hint={
          <>
            {isAllOffered
              ? 'The app gets access to the team that you choose, or to all your teams.'
              : 'The app gets access to this team only.'}
            <ConnectedTeams teams={teams} />
          </>
        }
      />
      {/* This text is visible when all teams are selected (styles/pages/pages.css). */}
      {isAllOffered && (
        <p class="caution all-teams">
          <Name>{app.name}</Name> will have access to every team you belong to, including teams that you join later. If it needs only one
          team, choose that team.
        </p>
      )}
    </>
  )
}

/** Explains why a team is preselected. */
const ConnectedTeams = ({ teams }: Pick<TeamFieldProps, 'teams'>) => {
  const connected = teams.filter(({ isConnected }) => isConnected)
  if (connected.length === 0) return null
  const names = connected.flatMap(({ team }) => (team ? [team.name] : []))
  return <> It already has access to {names.length === connected.length ? <Names names={names} /> : 'all your teams'}.</>
}

export interface ScopeFieldsProps {
  /** Labels of the scopes that cannot be declined. */
  required: readonly string[]
  optional: readonly { value: string; label: string; allowsChanges: boolean; isGranted: boolean }[]
  /** The initially ticked scopes. */
  initialScopes: readonly string[]
}

/** What the app will be able to do. */
export const ScopeFields = ({ required, optional, initialScopes }: ScopeFieldsProps) => (
  <>
    {required.length > 0 && (
      <section aria-labelledby="required">
        <h2 id="required">This app will be able to</h2>
        <ul>
          {required.map((label) => (
            <li>{label}</li>
          ))}
        </ul>
      </section>
    )}
    {optional.length > 0 && (
      <Choices
        name="scope"
        legend={required.length > 0 ? 'Optional permissions' : 'Permissions'}
        type="checkbox"
        // Permissions that allow changes are last. The hint marks them, and those that the app already has for this or another team.
        options={optional
          .toSorted((one, other) => Number(one.allowsChanges) - Number(other.allowsChanges))
          .map(({ value, label, allowsChanges, isGranted }) => ({
            value,
            label,
            hint: (allowsChanges || isGranted) && (
              <>
                {allowsChanges && <WriteBadge />} {isGranted && 'Granted before'}
              </>
            ),
          }))}
        checked={initialScopes}
        hint={
          optional.some(({ allowsChanges }) => allowsChanges) &&
          'Permissions to make changes are not selected. Select the ones you want to grant.'
        }
      />
    )}
  </>
)
