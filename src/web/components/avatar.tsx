import { initialsOf } from '../display-name.ts'

interface AvatarProps {
  name: string
  /** People are round, teams are square. */
  of: 'person' | 'team'
  /** `small` is for rows and menus, `large` for the page on which the picture is chosen. */
  size?: 'small' | 'large'
}

/** A person or a team beside their name, by their initials. Screen readers skip it, because the name is there. */
export const Avatar = ({ name, of, size }: AvatarProps) => (
  <span class={['avatar', of === 'person' && 'round', size].filter(Boolean).join(' ')} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
