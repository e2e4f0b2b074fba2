import { isRecord } from '../../core/record.ts'
import { findAttribute } from './attribute.ts'
import type { JsonObject, ResourceType } from './attribute.ts'
import { invalidFilter } from './filter.ts'
import { parsePath } from './path.ts'
import type { SelectingPath } from './path.ts'

/** The attributes that a client requests or excludes (RFC 7644 §3.9). */
export interface Projection {
  type: ResourceType
  /** The requested attributes; null for all. */
  requested: readonly SelectingPath[] | null
  excluded: readonly SelectingPath[]
}

// Matches a path, in whose brackets a text can contain a comma.
const paths = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g

/** Maximum steps of the brackets of a list for each value of a response: ten comparisons of a type, or forty of an identifier. */
const maxSteps = 40

/** Parses a list of paths, ignoring those of unknown attributes. Throws `invalidPath` and `invalidFilter`. */
function readPaths(type: ResourceType, list: string): SelectingPath[] {
  const all = (list.match(paths) ?? []).map((text) => parsePath(type, text)).filter((path) => typeof path !== 'string')
  const steps = all.reduce((sum, { filter }) => sum + (filter?.steps ?? 0), 0)
  if (steps > maxSteps) throw invalidFilter('The brackets of a list of attributes compare too much: ten texts at most.')
  // A path that is repeated counts once.
  return [...new Map(all.map((path) => [path.filter ?? `${path.attribute.name}.${path.subAttribute?.name}`, path])).values()]
}

/** Reads `attributes` and `excludedAttributes`. */
export function readProjection(type: ResourceType, parameters: URLSearchParams): Projection {
  const requestedText = parameters.get('attributes') ?? ''
  return {
    type,
    requested: requestedText.trim() === '' ? null : readPaths(type, requestedText),
    excluded: readPaths(type, parameters.get('excludedAttributes') ?? ''),
  }
}

const isWhole = ({ subAttribute, filter }: SelectingPath) => !subAttribute && !filter

/** Returns true if a response contains an attribute of a resource, or a part of it. */
export function isReturned({ type, requested, excluded }: Projection, name: string): boolean {
  if (findAttribute(type, name)?.returned === 'always') return true
  if (excluded.some((path) => path.attribute.name === name && isWhole(path))) return false
  return requested === null || requested.some(({ attribute }) => attribute.name === name)
}

/** Returns the resource with the attributes that the client requests. */
export function project(resource: JsonObject, projection: Projection): JsonObject {
  const entries = Object.entries(resource).filter(([name]) => isReturned(projection, name))
  return Object.fromEntries(entries.map(([name, value]) => [name, projectValue(name, value, projection)]))
}

function projectValue(name: string, value: unknown, { requested, excluded }: Projection): unknown {
  const isNamed = ({ attribute }: SelectingPath) => attribute.name === name
  // The value is not copied, because a group has thousands of members.
  if (!requested?.some(isNamed) && !excluded.some(isNamed)) return value
  const paths = { requested: requested?.filter(isNamed) ?? null, excluded: excluded.filter(isNamed) }
  if (Array.isArray(value)) return (value as unknown[]).flatMap((each) => (isRecord(each) ? projectParts(each, paths) : [each]))
  return isRecord(value) ? projectParts(value, paths)[0] : value
}

/** Returns the requested parts of a value; none if brackets exclude the value or do not select it. */
function projectParts(value: JsonObject, { requested, excluded }: Omit<Projection, 'type'>): JsonObject[] {
  const selects = ({ filter }: SelectingPath) => !filter || filter.matches(value)
  const names = (part: string) => (path: SelectingPath) => path.subAttribute?.name === part
  const [kept, dropped] = [requested?.filter(selects), excluded.filter(selects)]
  if (kept?.length === 0 || dropped.some(({ subAttribute }) => !subAttribute)) return []
  const isAll = !kept || kept.some(({ subAttribute }) => !subAttribute)
  const parts = Object.entries(value).filter(([part]) => (isAll || kept.some(names(part))) && !dropped.some(names(part)))
  return [Object.fromEntries(parts)]
}
