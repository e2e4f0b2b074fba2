import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { allProducts, products } from '../../../schema/core/products.ts'
import { sortScopes, scopeLabel } from '../../web/components/scope-list.tsx'
import { formatMoney } from '../../web/money.ts'
import { formatDate, formatDateTime } from '../../web/time-format.ts'
import { roleNames } from '../labels.ts'

/** Parses the JSON of an entry; null has no values. */
export type AuditValues = Readonly<Record<string, unknown>>

const jsonObject = z.record(z.string(), z.unknown())

/** Reads the JSON of an entry; null has no values. */
export const parseAuditValues = (json: string | null): AuditValues => (json === null ? {} : jsonObject.parse(JSON.parse(json)))

export interface Change {
  name: string
  before: string | null
  after: string | null
}

/** Compares the old and the new values of an audit entry, both JSON objects. Identifiers are omitted. */
export function changesBetween(before: string | null, after: string | null, times: TimeSettings): Change[] {
  const [oldValues, newValues] = [parseAuditValues(before), parseAuditValues(after)]
  const names = [...new Set([...Object.keys(oldValues), ...Object.keys(newValues)])].filter((name) => !identifiers.has(name))
  return names
    .map((name) => ({
      name: capitalized(getPropertyLabel(name)),
      before: formatAuditValue(oldValues, name, times),
      after: formatAuditValue(newValues, name, times),
    }))
    .filter((each) => each.before !== each.after)
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const identifiers = new Set(['id', 'userId', 'clientId', 'kind', 'cut', 'deliveryId'])

const propertyLabels: Readonly<Record<string, string>> = {
  accessibleAppIds: 'products',
  gravatarEmail: 'avatar email',
  timezone: 'time zone',
  scopes: 'permissions',
  declinedScopes: 'declined permissions',
  expiresAt: 'expires',
  worksUntil: 'old value active until',
  revokedAt: 'revoked',
  twoFactorRequiredAt: 'two-factor authentication required from',
  signInProvider: 'required identity provider',
  signInRequiredAt: 'sign-in required from',
  renewed: 'invited again',
  email: 'email address',
  isManaged: 'managed by identity provider',
  roleOfPreviousOwner: 'role of the previous owner',
  entries: 'number of entries',
  url: 'URL',
  types: 'events',
  previousSecretExpiresAt: 'old secret active until',
  onlyFailed: 'only failed events',
  vatId: 'VAT ID',
  recipients: 'recipients of invoices',
  memberCount: 'number of members',
  externalId: 'external ID',
}

/** Returns the words of a name in code: `sentAt` is `sent at`. */
export const splitWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Returns the label of a property. By default it is derived from the name. */
export const getPropertyLabel = (name: string) => propertyLabels[name] ?? splitWords(name)

/** Returns a value as pages show it, or null if it is absent. */
export function formatAuditValue(values: AuditValues, name: string, times: TimeSettings): string | null {
  if (!Object.hasOwn(values, name)) return null
  const value = values[name]
  if (name === 'accessibleAppIds') return productsText(value)
  if (name === 'role' || name === 'roleOfPreviousOwner') return roleText(value)
  if (name === 'groups') return groupsText(value)
  if (value === null) return 'none'
  if (name === 'types' && isDeepStrictEqual(value, [])) return 'all'
  if (typeof value === 'number' && typeof values['currency'] === 'string') return formatMoney(value, values['currency'])
  if (Array.isArray(value)) return value.length === 0 ? 'none' : sortScopes(value.map(String)).map(scopeLabel).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (name === 'logo' || name === 'picture') return value.slice(value.lastIndexOf('/') + 1)
  if (datePattern.test(value)) return formatDate(value, times)
  return timestampPattern.test(value) ? formatDateTime(value, times) : value
}

const roleByValue: Readonly<Record<string, string>> = { owner: roleNames.OWNER, member: roleNames.MEMBER, billing: roleNames.BILLING }
const roleText = (role: unknown): string => roleByValue[String(role)] ?? String(role)

const groupRoles = z.array(z.object({ group: z.string(), role: z.string(), accessibleAppIds: z.unknown() }))

/** Returns a text such as `Engineering (Member, All products)` for each group that has a role. */
function groupsText(value: unknown): string {
  const { data = [] } = groupRoles.safeParse(value)
  return (
    data.map(({ group, role, accessibleAppIds }) => `${group} (${roleText(role)}, ${productsText(accessibleAppIds)})`).join('; ') || 'none'
  )
}

/** Returns names of products by their identifiers; null means all. */
function productsText(ids: unknown): string {
  if (!Array.isArray(ids)) return allProducts
  return ids.map((id) => productById[String(id)]?.name ?? String(id)).join(', ') || 'no products'
}

const productById: Readonly<Record<string, { name: string }>> = products
const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A part of a sentence: words, or the name of someone or something. */
export type Part = string | { name: string; isTarget?: boolean }

/** Parts from which a sentence about an entry is built. */
export interface Details {
  /** The name of the changed object. */
  target: Part
  before: AuditValues
  after: AuditValues
  /** Returns a property as pages show it, or null if the entry does not contain it. */
  oldText(property: string): string | null
  newText(property: string): string | null
  /** True if the actor is the target. */
  isByTarget: boolean
  times: TimeSettings
}

/** Describes a change of the settings of a team. */
export function describeTeamChange({ before, after, newText }: Details): string | Part[] {
  const [property, ...others] = Object.keys(after)
  if (property === undefined) return 'changed the team'
  if (others.length > 0)
    return [`changed the ${new Intl.ListFormat('en-GB').format([property, ...others].map(getPropertyLabel))} of the team`]
  if (property === 'name') {
    const from = typeof before['name'] === 'string' ? [' from ', { name: before['name'] }] : []
    return ['renamed the team', ...from, ' to ', { name: String(after['name']) }]
  }
  if (after[property] === null) return [`removed the ${getPropertyLabel(property)} of the team`]
  if (property === 'logo') return 'changed the logo of the team'
  return [`changed the ${getPropertyLabel(property)} of the team to ${newText(property)}`]
}

const isChanged = ({ before, after }: Details, property: string) => !isDeepStrictEqual(before[property], after[property])

/** Returns true if the role or the products of a member changed. */
export const isTermChanged = (details: Details): boolean => ['role', 'accessibleAppIds'].some((property) => isChanged(details, property))

/** Describes a change of the role or the products of a member. */
export function describeMemberChange(details: Details): Part[] {
  const { target } = details
  const products = describeValues(details, 'accessibleAppIds')
  if (!isChanged(details, 'role')) return ['changed the products of ', target, products]
  const role: Part[] = ['changed the role of ', target, describeValues(details, 'role')]
  return isChanged(details, 'accessibleAppIds') ? [...role, `, and the products${products}`] : role
}

/** Returns a text such as ` from Member to Owner`, with the values that the entry contains. */
function describeValues({ oldText, newText }: Details, property: string): string {
  const inSentence = (text: string | null) => (text === allProducts ? 'all products' : text)
  const [before, after] = [inSentence(oldText(property)), inSentence(newText(property))]
  return `${before === null ? '' : ` from ${before}`}${after === null ? '' : ` to ${after}`}`
}

/** Returns the sentence about the access that an identity provider gives to agents. */
export function describeAgentsChange({ after: { agentsEnabled } }: Details): string {
  if (agentsEnabled === undefined) return 'changed to which agents the identity provider {target} gives access'
  return agentsEnabled === true
    ? 'allowed the identity provider {target} to give agents access'
    : 'no longer allowed the identity provider {target} to give agents access'
}

/** Names the identity provider that gave an app access instead of the user. */
export const byProvider = ({ after }: Details): string =>
  typeof after['provider'] === 'string' ? ' for a member, by a decision of {provider}' : ''
