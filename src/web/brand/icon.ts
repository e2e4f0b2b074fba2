import type { BrandSettings } from './brand.ts'
import { accentsOf } from './colors.ts'
import { initialsOf } from '../display-name.ts'

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The favicon: the logo, or the initials of the name on the brand's colour. */
export function iconOf({ brandLogo, brandName, brandColor }: BrandSettings): { type: string; body: Buffer } {
  if (brandLogo) return brandLogo
  const initial = escaped(initialsOf(brandName).slice(0, 1))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${accentsOf(brandColor).light}"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="#fff">${initial}</text></svg>`
  return { type: 'svg', body: Buffer.from(svg) }
}
