import { createHash } from 'node:crypto'

/**
 * Gravatar's address for an e-mail address already trimmed and in lower case (decisions §4); with null, its neutral
 * picture. Addresses repeat from request to request, so the last ones are remembered.
 */
export function avatarUrl(email: string | null): string {
  if (email === null) return `${gravatar}?d=mp`
  const known = remembered.get(email)
  if (known !== undefined) return known
  const url = `${gravatar}${createHash('sha256').update(email).digest('hex')}?d=mp`
  if (remembered.size >= rememberedAtMost) remembered.clear()
  remembered.set(email, url)
  return url
}

const gravatar = 'https://www.gravatar.com/avatar/'
const rememberedAtMost = 10_000
const remembered = new Map<string, string>()
