import type { TeamAccess } from '../../../schema/core/principals.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { Avatar } from '../../web/components/avatar.tsx'
import { Name } from '../../web/components/address.tsx'
import { isolateName } from '../../web/display-name.ts'
import { confirmAt, ownerAccessAt, providerSignInAt, twoFactorPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import type { OwnTeamsQuery } from '../generated/operations.ts'

/** A team of the user that is closed until the user takes one of these actions. */
export interface ClosedTeam extends Pick<TeamAccess, 'team' | 'role'> {
  ways: readonly Way[]
}
interface Way {
  label: string
  path: string
}

/** Returns the user's teams, by slug, that require more of the sign-in than this session has, or whose owners ended the session. */
export function findClosedTeams(
  { teams, teamsLackingSignIn, teamsLackingTwoFactor, teamsOfEndedSession, site }: PageContext,
  missingSignIns: OwnTeamsQuery['viewer']['missingSignIns'],
): ClosedTeam[] {
  const open = new Set(teams.map(({ team }) => team.id))
  const closed = new Map<string, ClosedTeam>()
  for (const { team, role } of teamsLackingSignIn) {
    const missing = missingSignIns.find(({ teamSlug }) => teamSlug === team.slug)
    if (!missing) continue
    const page = `/teams/${team.slug}`
    const through = { label: `Sign in through ${isolateName(missing.providerName)}`, path: providerSignInAt(missing.providerId, page) }
    const passkey = { label: 'Open with your passkey', path: ownerAccessAt(team.slug, page) }
    closed.set(team.slug, { team, role, ways: role === 'owner' ? [through, passkey] : [through] })
  }
  // The second factor comes first.
  for (const { team, role, missing } of teamsLackingTwoFactor) {
    if (open.has(team.id) || team.twoFactorRequiredAt === null || new Date(team.twoFactorRequiredAt) > site.now()) continue
    const turnOn = { label: 'Turn on two-factor authentication', path: twoFactorPath }
    const confirm = { label: 'Confirm with your second factor', path: confirmAt(`/teams/${team.slug}`) }
    closed.set(team.slug, { team, role, ways: [missing === 'account' ? turnOn : confirm] })
  }
  // What else a team requires is shown after the sign-in.
  for (const { team, role } of teamsOfEndedSession)
    closed.set(team.slug, { team, role, ways: [{ label: 'Sign in again', path: confirmAt(`/teams/${team.slug}`) }] })
  return [...closed.values()].toSorted((a, b) => (a.team.slug < b.team.slug ? -1 : 1))
}

export const ClosedTeamEntry = ({ team: { name, logoId }, ways }: ClosedTeam) => (
  <li class="who">
    <Avatar of="team" name={name} picture={picturePath(logoId)} />
    <div>
      <Name>{name}</Name>
      <p class="hint">
        {ways.map(({ label, path }, index) => (
          <>
            {index > 0 && ' or '}
            <a href={path}>
              {label}
              <span class="visually-hidden">
                {' '}
                to open <bdi>{name}</bdi>
              </span>
            </a>
          </>
        ))}
      </p>
    </div>
  </li>
)
