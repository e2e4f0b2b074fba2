import { initialsOf } from '../display-name.ts'

interface AvatarProps {
  name: string
  /** People are round, teams are square. */
  of: 'person' | 'team'
  /** URL or path of the picture or logo; without one, the initials are shown. */
  picture: string | null | undefined
  /** `small` is for rows and menus, `large` for the page on which the picture is chosen. */
  size?: 'small' | 'large'
}

const pixels = { small: 26, normal: 44, large: 96 }

/** A person or a team beside their name, by their picture or their initials. Screen readers skip it, because the name is there. */
export function Avatar({ name, of, picture, size }: AvatarProps) {
  const classes = ['avatar', of === 'person' && 'round', size].filter(Boolean).join(' ')
  if (!picture) {
    return (
      <span class={classes} aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  }
  const path = picture.slice(picture.indexOf('/pictures/'))
  const side = pixels[size ?? 'normal']
  return (
    <img
      class={classes}
      src={size === 'large' ? path : path.replace('.webp', '-small.webp')}
      width={side}
      height={side}
      alt=""
      loading="lazy"
    />
  )
}
