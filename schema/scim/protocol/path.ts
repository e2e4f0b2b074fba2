import { findAttribute, findSubAttribute } from './attribute.ts'
import type { Attribute, ResourceType } from './attribute.ts'
import { invalidPath } from './error.ts'
import { parseFilter } from './filter.ts'
import { compileFilter } from './match.ts'
import type { ValueFilter } from './match.ts'

/** An attribute, or a part of it, of a resource. */
export interface AttributePath {
  attribute: Attribute
  subAttribute: Attribute | null
}

/** A path with brackets, which select values of an attribute with several values. */
export interface SelectingPath extends AttributePath {
  filter: ValueFilter | null
}

/** `ignored` is a standard attribute that the service does not store. `unknown` is not an attribute of the resource. */
export type ResolvedPath<Path = AttributePath> = Path | 'ignored' | 'unknown'

const extension = /^urn:ietf:params:scim:schemas:extension:/i

/** Parses `attribute`, `attribute.part`, or the same after the URN of the schema (RFC 7644 §3.10). */
export function findPath(type: ResourceType, text: string): ResolvedPath {
  if (extension.test(text)) return 'ignored'
  const prefix = `${type.schema}:`.toLowerCase()
  const name = text.toLowerCase().startsWith(prefix) ? text.slice(prefix.length) : text
  const [first = '', second, ...more] = name.split('.')
  if (type.ignored.has(first.toLowerCase()) || type.ignored.has(name.toLowerCase())) return 'ignored'
  const attribute = findAttribute(type, first)
  if (!attribute || more.length > 0) return 'unknown'
  if (second === undefined) return { attribute, subAttribute: null }
  const subAttribute = findSubAttribute(attribute, second)
  return subAttribute ? { attribute, subAttribute } : 'unknown'
}

const brackets = /^([^[\]]+?)(?:\[(.*)\](\.[\w$-]+)?)?$/s

/** Parses a path of a PATCH or of a list of attributes, also with brackets. Throws `invalidPath` and `invalidFilter`. */
export function parsePath(type: ResourceType, text: string): ResolvedPath<SelectingPath> {
  const [, name = '', condition, part = ''] = brackets.exec(text.trim()) ?? []
  const path = findPath(type, name + part)
  if (typeof path === 'string') return path
  if (condition === undefined) return { ...path, filter: null }
  const filter = parseFilter(condition)
  if (!path.attribute.multiValued) throw invalidPath(`${path.attribute.name} has a single value.`)
  return { ...path, filter: compileFilter(path.attribute, filter) }
}
