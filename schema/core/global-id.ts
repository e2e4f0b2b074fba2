// A global id is the name of the type and the key of the object, in base64url. Clients must not decode it: keys can change.

/** The object that a global id identifies. */
export interface ObjectKey {
  type: string
  key: readonly string[]
}

/** Encodes the separator in a part of a key. Only the identifiers of clients by URL contain it. */
const escapePart = (part: string) => part.replaceAll('%', '%25').replaceAll(':', '%3A')
const unescapePart = (part: string) => part.replaceAll('%3A', ':').replaceAll('%25', '%')

/** Returns the global id of an object. */
export const globalId = ({ type, key }: ObjectKey): string => Buffer.from([type, ...key.map(escapePart)].join(':')).toString('base64url')

/** Returns the slug of a team from an argument with its slug or global id. */
export const slugOfTeam = (team: string): string => parseIdentifier(team, ['Team', 'DeletedTeam'])

/** Returns the identifier of a token from an argument with its identifier or global id. */
export const parseTokenId = (token: string): string => parseIdentifier(token, ['TeamToken', 'PersonalToken'])

/** Parses a global id. Returns null for any other string. */
export function parseGlobalId(id: string): ObjectKey | null {
  // The names of types, and so their global ids, start with a capital letter. Slugs and other identifiers do not.
  if (!/^[Q-W][\w-]{3,}$/.test(id)) return null
  const [type = '', ...parts] = Buffer.from(id, 'base64url').toString().split(':')
  const key = parts.map(unescapePart)
  const isCanonical = /^[A-Z]\w*$/.test(type) && key.length > 0 && !key.includes('') && globalId({ type, key }) === id
  return isCanonical ? { type, key } : null
}

/**
 * Returns the identifier that an argument contains: the argument itself, or the last part of the key if it is a global id of one of the
 * types. With `team`, returns an empty string, which identifies nothing, if the global id is of an object of another team.
 */
export function parseIdentifier(id: string, types: readonly string[], team?: { slug: string }): string {
  const object = parseGlobalId(id)
  if (!object || !types.includes(object.type)) return id
  const [owner, own = owner] = object.key
  return (team && object.key.length > 1 && owner !== team.slug ? '' : own) ?? ''
}
