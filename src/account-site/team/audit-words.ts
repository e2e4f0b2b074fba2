import { inOrder, scopeWords } from '../scope-words.tsx'
import { momentOf } from '../time.tsx'

/** What was done to a team, by the mutation's name; these can be chosen from. */
export const actionWords: Readonly<Record<string, string>> = {
  createTeam: 'Team created',
  updateTeam: 'Settings changed',
  inviteMember: 'Invitation sent',
  resendInvitation: 'Invitation sent again',
  revokeInvitation: 'Invitation revoked',
  acceptInvitation: 'Invitation accepted',
  declineInvitation: 'Invitation declined',
  updateMember: 'Member changed',
  removeMember: 'Member removed',
  leaveTeam: 'Member left',
  createTeamToken: 'Team token created',
  rotateToken: 'Token rotated',
  revokeToken: 'Token revoked',
  cutTeamFromToken: 'Personal token cut off',
  narrowGrant: 'Application narrowed',
  revokeGrant: 'Application revoked',
  cutTeamFromGrant: 'Application cut off',
}

/** How the actor was authenticated. */
export const viaWords: Readonly<Record<string, string>> = {
  session: 'on these pages',
  personal_token: 'with a personal token',
  team_token: 'with a team token',
  oauth: 'through an application',
  command_line: 'as operator of the service',
}

interface Difference {
  name: string
  before: string | null
  after: string | null
}

/** What changed, member by member, of old and new values as JSON. Identifiers say nothing to people and are left out. */
export function differences(before: string | null, after: string | null): Difference[] {
  const [old, present] = [valuesOf(before), valuesOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(present)])].filter((name) => !identifiers.has(name))
  return names
    .map((name) => ({ name: inWords(name), before: textOf(old, name), after: textOf(present, name) }))
    .filter((each) => each.before !== each.after)
}

const identifiers = new Set(['id', 'userId', 'clientId', 'kind', 'cut'])

const valuesOf = (json: string | null): Record<string, unknown> => (json === null ? {} : (JSON.parse(json) as Record<string, unknown>))

const memberWords: Readonly<Record<string, string>> = {
  accessibleAppIds: 'applications',
  gravatarEmail: 'avatar email',
  scopes: 'may',
  expiresAt: 'works until',
  worksUntil: 'old value works until',
  revokedAt: 'revoked',
}

/** As the pages call it; a member without words of its own as it is: `sentAt` → `sent at`. */
const inWords = (name: string) => memberWords[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function textOf(values: Record<string, unknown>, name: string): string | null {
  if (!Object.hasOwn(values, name)) return null
  const value = values[name]
  if (value === null) return name === 'accessibleAppIds' ? 'all' : 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : inOrder(value.map(String)).map(scopeWords).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  return instantPattern.test(value) ? momentOf(value) : value
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
