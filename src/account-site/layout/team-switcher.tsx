import { Menu } from '../../web/components/menus.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { Name } from '../../web/components/name.tsx'
import type { TeamLink } from './navigation.ts'

/** A menu of the user's teams that shows the current one. Works without JavaScript. */
export const TeamSwitcher = ({ teams }: { teams: readonly TeamLink[] }) => {
  const current = teams.find(({ isCurrent }) => isCurrent)
  return (
    <Menu
      id="teams"
      class="switcher popup"
      button={
        <>
          <span class="visually-hidden">Team: </span>
          {current && <Avatar of="team" size="small" name={current.name} />}
          <strong>{current ? <bdi>{current.name}</bdi> : 'No team'}</strong>
        </>
      }
    >
      <ul>
        {teams.map(({ slug, name, path, isCurrent }) => (
          <li>
            <a href={path} aria-current={isCurrent ? 'true' : undefined}>
              <Name>{name}</Name> <small>{slug}</small>
            </a>
          </li>
        ))}
        <li>
          <a href="/teams/new">Create a team</a>
        </li>
      </ul>
    </Menu>
  )
}
