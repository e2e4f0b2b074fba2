import type { Page } from '../schema/builder/pagination.ts'
import type { EventPage } from '../schema/events/feed.ts'
import { envelope, feedEnvelope } from './envelope.ts'
import { pageQueryString } from './query.ts'
import type { Route } from './route.ts'
import { isVersioned, versionAlias } from './status-codes.ts'

/** The content of a response. */
export interface Content {
  /** The content; undefined for an empty response. */
  body?: unknown
  /** The instant from which the ETag is derived. */
  version?: string
}
type ResponseContent = (data: unknown, parameters: Readonly<Record<string, string>>, query: Record<string, unknown>) => Content

/** Returns a function that builds the content of a route's response from the data of its operation. */
export function responseContent(route: Route, publicUrl: string): ResponseContent {
  const { response, path } = route
  if (response.kind === 'empty') return () => ({})
  const names = response.at.split('.')
  const getResult = (data: unknown) => names.reduce(member, data)
  if (response.kind === 'resource')
    return isVersioned(route) ? (data) => withoutVersion(getResult(data)) : (data) => ({ body: getResult(data) })
  if (response.kind === 'list') return (data) => ({ body: { data: getResult(data) } })
  const template = `${publicUrl}/api${path}`
  return (data, parameters, query) => {
    const page = getResult(data)
    // The URL is built from the declaration and not from the request's target, which may contain another host (RFC 9112 §3.2.2).
    const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
    const repeated = pageQueryString(query)
    if (response.kind === 'feed' && isFeed(page)) return { body: feedEnvelope(page, url, repeated) }
    if (response.kind === 'page' && isPage(page)) return { body: envelope(page, url, repeated) }
    throw new Error(`${response.at} is not a ${response.kind}`)
  }
}

function withoutVersion(resource: unknown): Content {
  if (typeof resource !== 'object' || resource === null || !(versionAlias in resource)) throw new Error('the resource has no version')
  const { [versionAlias]: version, ...body } = resource
  return { body, version: version instanceof Date ? version.toISOString() : String(version) }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const isPage = (value: unknown): value is Page<unknown> => typeof value === 'object' && value !== null && 'nodes' in value
const isFeed = (value: unknown): value is EventPage => typeof value === 'object' && value !== null && 'nextCursor' in value
