import { tokenKind } from '../../../schema/tokens/token-value.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { linksOf } from './links.ts'

// What every hand-written contestant checks, in the order of the service.

/** An error that the client receives. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const unauthenticated = () => new Refusal(401, 'Unauthenticated.')
export const unauthorized = () => new Refusal(403, 'This action is unauthorized.')
export const invalid = () => new Refusal(422, 'The given data was invalid.')

/** Returns the hash of the bearer token. Checks form and checksum first, without a query. */
export function tokenHash(authorization: string | undefined): Buffer {
  const token = /^Bearer ([\w\-.~+/]+=*)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined || tokenKind(token) === null) throw unauthenticated()
  return sha256(token)
}

/** The rights that a request needs. Without roles, every role has them. */
export interface Needs {
  scope: string
  roles?: readonly string[]
}

export const teamNeeds = { scope: 'acct:team:read' } satisfies Needs
export const renameNeeds = { scope: 'acct:team:write', roles: ['owner'] } satisfies Needs
export const membersNeeds = { scope: 'acct:team:members:read' } satisfies Needs
export const invoicesNeeds = { scope: 'acct:team:invoices:read', roles: ['owner', 'billing'] } satisfies Needs

export const hasRights = ({ scopes, role }: { scopes: readonly string[]; role: string | null }, needs: Needs): boolean =>
  role !== null && scopes.includes(needs.scope) && (needs.roles?.includes(role) ?? true)

/** A page of a list that a request asks for. */
export interface RequestedPage {
  page: number
  perPage: number
  offset: number
  /** The query parameters that page links repeat. */
  parameters: readonly string[]
}

export function requestedPage(query: Record<string, unknown>): RequestedPage {
  const page = integer(query['page'], 1, 2 ** 31 - 1)
  const perPage = integer(query['per_page'], 50, 100)
  return { page, perPage, offset: (page - 1) * perPage, parameters: query['per_page'] === undefined ? [] : [`per_page=${perPage}`] }
}

function integer(value: unknown, fallback: number, maximum: number): number {
  if (value === undefined) return fallback
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > maximum) throw invalid()
  return number
}

/** Whether the request asks for the lines of invoices. */
export function expandsLines(value: unknown): boolean {
  const expand = [value ?? []].flat()
  if (!expand.every((each) => each === 'lines')) throw new Refusal(422, 'The selected expand.0 is invalid.')
  return expand.length > 0
}

/** The envelope of a page: `data`, `links` and `meta`. */
export function envelope(
  url: string,
  { page, perPage, parameters }: RequestedPage,
  data: readonly object[],
  total: number,
  withLines = false,
) {
  const all = withLines ? [...parameters, 'expand%5B0%5D=lines'] : parameters
  return { data, ...linksOf(url, all, page, perPage, data.length, total) }
}

/** The new name in the body of a PATCH of a team. */
export function requestedName(body: unknown): string {
  const name = typeof body === 'object' && body !== null && 'name' in body ? body.name : undefined
  if (typeof name !== 'string' || name.trim() === '' || name.length > 255) throw invalid()
  return name.trim()
}
