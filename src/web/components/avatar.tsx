import { getInitials } from '../display-name.ts'

export interface AvatarProps {
  name: string
  /** Pictures of people are round, logos of teams are square. */
  of: 'person' | 'team'
  /** URL or path of the picture or logo. Without one, the component shows the initials. */
  picture: string | null | undefined
  /** `small` is for rows and menus, `large` for the page on which users choose the picture. */
  size?: 'small' | 'large'
}

/** Number of the classes `tone-0` and so on, each with a background colour of its own. */
const tones = 8

/** Returns the class of the colour behind the initials. It depends on the name alone, so it is the same on every page. */
const getTone = (name: string): string =>
  `tone-${Array.from(name).reduce((sum, letter) => (sum * 37 + (letter.codePointAt(0) ?? 0)) % 10_007, 0) % tones}`

const pixels = { small: 26, normal: 44, large: 96 }

/** The picture or the initials of a person or a team, shown next to the name. Screen readers skip it, because the name follows. */
export function Avatar({ name, of, picture, size }: AvatarProps) {
  const classes = ['avatar', of === 'person' && 'round', size].filter(Boolean).join(' ')
  if (!picture) {
    return (
      <span class={`${classes} ${getTone(name)}`} aria-hidden="true">
        {getInitials(name)}
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
