import { Menu } from '../../web/components/menus.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { Name } from '../../web/components/address.tsx'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import type { AccessibleTeam } from '../../../schema/core/principals.ts'
import type { TeamLink } from './navigation.ts'

/** Script that shows and runs the field that filters the teams. */
export const filterScript = 'filter.js'

/** Returns true if there are so many teams that a filter is useful. */
export const hasTeamFilter = (teams: readonly TeamLink[]) => teams.length >= 8

interface TeamSwitcherProps {
  teams: readonly TeamLink[]
  /** The team that the page shows. Staff in a support session are not among its members. */
  current: Pick<AccessibleTeam, 'name' | 'logoId'> | null
}

/** A menu of the user's teams that shows the current one. It works without JavaScript. */
export const TeamSwitcher = ({ teams, current }: TeamSwitcherProps) => {
  return (
    <Menu
      id="teams"
      class="switcher popup"
      button={
        <>
          <span class="visually-hidden">Team: </span>
          {current && <Avatar of="team" size="small" name={current.name} picture={picturePath(current.logoId)} />}
          <strong>{current ? <bdi>{current.name}</bdi> : 'No team'}</strong>
        </>
      }
    >
      {hasTeamFilter(teams) && (
        <>
          <input
            type="search"
            aria-label="Filter teams"
            placeholder="Filter teams"
            autocomplete="off"
            autofocus
            hidden
            data-filters="team-list"
          />
          <p role="status" />
        </>
      )}
      <ul id="team-list">
        {teams.map(({ slug, name, logo, path, isCurrent }) => (
          <li>
            <a href={path} aria-current={isCurrent ? 'true' : undefined}>
              <Avatar of="team" size="small" name={name} picture={logo} />{' '}
              <span>
                <Name>{name}</Name> <small>{slug}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <ul>
        <li>
          <a href="/teams/new">Create a team</a>
        </li>
      </ul>
    </Menu>
  )
}
