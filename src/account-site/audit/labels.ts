import { z } from 'zod'
import { sortScopes, scopeLabel } from '../../web/components/scope-list.tsx'
import type { TimeSettings } from '../../../schema/core/context.ts'
import { formatDateTime } from '../../web/time-format.ts'

/** Labels of audited actions, by the name of the mutation. The filter offers these. */
export const actionLabels: Readonly<Record<string, string>> = {
  createTeam: 'Team created',
  updateTeam: 'Team details changed',
  deleteTeam: 'Team deleted',
  restoreTeam: 'Team restored',
  transferOwnership: 'Ownership transferred',
  setTwoFactorRequirement: 'Two-factor requirement changed',
  inviteMember: 'Invitation sent',
  resendInvitation: 'Invitation resent',
  revokeInvitation: 'Invitation revoked',
  acceptInvitation: 'Invitation accepted',
  declineInvitation: 'Invitation declined',
  updateMember: 'Member changed',
  removeMember: 'Member removed',
  leaveTeam: 'Member left',
  createTeamToken: 'Team token created',
  rotateToken: 'Token rotated',
  updateToken: 'Token renamed',
  revokeToken: 'Token revoked',
  revokeTokenTeamAccess: 'Personal token access revoked',
  reduceGrantScopes: 'Connected app permissions reduced',
  revokeGrant: 'Connected app revoked',
  revokeGrantTeamAccess: 'Connected app access revoked',
}

/** Labels of authentication methods. */
export const authenticationMethodLabels: Readonly<Record<string, string>> = {
  session: 'on the website',
  personal_token: 'with a personal token',
  team_token: 'with a team token',
  oauth: 'with a connected app',
  command_line: 'as the service operator',
}

interface Change {
  name: string
  before: string | null
  after: string | null
}

/** Compares the old and the new values of an audit entry, both JSON objects. Identifiers are omitted. */
export function changesBetween(before: string | null, after: string | null, times: TimeSettings): Change[] {
  const [oldValues, newValues] = [valuesOf(before), valuesOf(after)]
  const names = [...new Set([...Object.keys(oldValues), ...Object.keys(newValues)])].filter((name) => !identifiers.has(name))
  return names
    .map((name) => ({ name: labelOf(name), before: textOf(oldValues, name, times), after: textOf(newValues, name, times) }))
    .filter((each) => each.before !== each.after)
}

const identifiers = new Set(['id', 'userId', 'clientId', 'kind', 'cut'])

const jsonObject = z.record(z.string(), z.unknown())
const valuesOf = (json: string | null): Record<string, unknown> => (json === null ? {} : jsonObject.parse(JSON.parse(json)))

const propertyLabels: Readonly<Record<string, string>> = {
  accessibleAppIds: 'products',
  gravatarEmail: 'avatar email',
  scopes: 'permissions',
  expiresAt: 'expires',
  worksUntil: 'old value active until',
  revokedAt: 'revoked',
}

/** Returns the label of a property. By default it is derived from the name: `sentAt` → `sent at`. */
const labelOf = (name: string) => propertyLabels[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function textOf(values: Record<string, unknown>, name: string, times: TimeSettings): string | null {
  if (!Object.hasOwn(values, name)) return null
  const value = values[name]
  if (value === null) return name === 'accessibleAppIds' ? 'all' : 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : sortScopes(value.map(String)).map(scopeLabel).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  return timestampPattern.test(value) ? formatDateTime(value, times) : value
}

const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
