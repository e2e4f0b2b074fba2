import { createHash } from 'node:crypto'

const gravatar = 'https://www.gravatar.com/avatar/'
const maxCachedUrls = 10_000
const cachedUrls = new Map<string, string>()

/**
 * Returns Gravatar's URL for a trimmed, lower-case email address, or its neutral picture for null (docs/decisions/resources.md#avatars).
 * URLs are cached, because the same addresses recur in every list and hashing them measurably slows the member list.
 */
export function avatarUrl(email: string | null): string {
  if (email === null) return `${gravatar}?d=mp`
  const cached = cachedUrls.get(email)
  if (cached !== undefined) return cached
  const url = `${gravatar}${createHash('sha256').update(email).digest('hex')}?d=mp`
  if (cachedUrls.size >= maxCachedUrls) cachedUrls.clear()
  cachedUrls.set(email, url)
  return url
}
