import { z } from 'zod'
import { sortScopes, scopeLabel } from '../../web/components/scope-list.tsx'
import type { TimeSettings } from '../../../schema/core/context.ts'
import { products } from '../../../schema/core/products.ts'
import type { AuditAction, AuthenticationMethod } from '../generated/operations.ts'
import { formatDateTime } from '../../web/time-format.ts'

/** Labels of the audited actions in teams. The filter offers these. */
export const actionLabels: Readonly<Partial<Record<AuditAction, string>>> = {
  CREATE_TEAM: 'Team created',
  UPDATE_TEAM: 'Team details changed',
  DELETE_TEAM: 'Team deleted',
  RESTORE_TEAM: 'Team restored',
  TRANSFER_OWNERSHIP: 'Ownership transferred',
  SET_TWO_FACTOR_REQUIREMENT: 'Two-factor requirement changed',
  INVITE_MEMBER: 'Invitation sent',
  RESEND_INVITATION: 'Invitation resent',
  REVOKE_INVITATION: 'Invitation revoked',
  ACCEPT_INVITATION: 'Invitation accepted',
  DECLINE_INVITATION: 'Invitation declined',
  UPDATE_MEMBER: 'Member changed',
  REMOVE_MEMBER: 'Member removed',
  LEAVE_TEAM: 'Member left',
  CREATE_TEAM_TOKEN: 'Team token created',
  ROTATE_TOKEN: 'Token rotated',
  UPDATE_TOKEN: 'Token renamed',
  REVOKE_TOKEN: 'Token revoked',
  REVOKE_TOKEN_TEAM_ACCESS: 'Personal token access revoked',
  REDUCE_GRANT_SCOPES: 'Connected app permissions reduced',
  REVOKE_GRANT: 'Connected app revoked',
  REVOKE_GRANT_TEAM_ACCESS: 'Connected app access revoked',
  READ_AS_STAFF: 'Read by staff of the service',
}

/** The label of an entry's action, or its name if it has no label. */
export const actionLabel = ({ action, actionName }: { action: AuditAction | null; actionName: string }): string =>
  (action && actionLabels[action]) ?? actionName

/** Labels of authentication methods. */
export const authenticationMethodLabels: Readonly<Record<AuthenticationMethod, string>> = {
  SESSION: 'on the website',
  PERSONAL_TOKEN: 'with a personal token',
  TEAM_TOKEN: 'with a team token',
  OAUTH: 'with a connected app',
  COMMAND_LINE: 'as the service operator',
  ACCOUNT_SITE: 'account_site',
}

export interface Change {
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
  timezone: 'time zone',
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
  if (Array.isArray(value) && name === 'accessibleAppIds') return value.map((id) => productById[id]?.name ?? id).join(', ') || 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : sortScopes(value.map(String)).map(scopeLabel).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  return timestampPattern.test(value) ? formatDateTime(value, times) : value
}

const productById: Readonly<Record<string, { name: string }>> = products
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
