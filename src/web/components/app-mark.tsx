import { createHash } from 'node:crypto'
import { getInitials } from '../display-name.ts'

/** An app to show. Its identifier determines the colour, and its name the letters. */
export interface MarkedApp {
  clientId: string
  name: string
}

/** Returns a colour on which white letters have a contrast of at least 4.5:1. Its lightness is limited, so this holds for every hue. */
function getColor(clientId: string): string {
  const [high = 0, low = 0, tone = 0] = createHash('sha256').update(clientId).digest()
  return `oklch(${tone % 2 === 0 ? 0.38 : 0.52} 0.13 ${(high * 256 + low) % 360})`
}

interface AppMarkProps {
  app: MarkedApp
  /** True in the rows of a table. */
  isSmall?: boolean
}

/**
 * The mark of an app: its initials on its own colour, so that users recognize it. It is an image, because the Content-Security-Policy
 * forbids inline styles. Logos are not shown, because pages load no images from third parties. Screen readers skip it, because the name
 * follows.
 */
export const AppMark = ({ app: { clientId, name }, isSmall = false }: AppMarkProps) => (
  <svg class={isSmall ? 'app-mark small' : 'app-mark'} viewBox="0 0 44 44" aria-hidden="true">
    <rect width="44" height="44" rx="11" fill={getColor(clientId)} />
    <text x="22" y="28" text-anchor="middle" fill="#ffffff">
      {getInitials(name)}
    </text>
  </svg>
)
