import { isRecord } from '../../core/record.ts'
import { z } from 'zod'
import { listEntries, readMember, namedParts, findSubAttribute, toComparableText } from './attribute.ts'
import type { Attribute, JsonObject, ResourceType } from './attribute.ts'
import { invalidPath, ScimError } from './error.ts'
import type { ValueFilter } from './match.ts'
import { parsePath } from './path.ts'
import { keepOnePrimary, readParts, readValues, requireBoundedLength } from './values.ts'

type Verb = 'add' | 'replace' | 'remove'

/** One operation of a PATCH. Entra ID writes `Add`, `Replace` and `Remove`. */
export interface PatchOperation {
  op: Verb
  path: string | null
  value: unknown
}

const maxOperations = 1000
/** Maximum steps of a PATCH: for each operation, those of its path, and for each value of its attribute, one or those of its filter. */
const maxSteps = 500_000
const stepsOfPath = 10
const operation = z.object({
  op: z
    .string()
    .transform((op) => op.toLowerCase())
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().max(4000).nullish(),
  value: z.unknown().optional(),
})

const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const isPatchSchema = (schema: unknown) => typeof schema === 'string' && schema.toLowerCase() === patchSchema.toLowerCase()

/** Reads the body of a PATCH (RFC 7644 §3.5.2). Throws `invalidSyntax`. */
export function readPatch(body: unknown): PatchOperation[] {
  const [schemas, operations] = ['schemas', 'Operations'].map((name) => (isRecord(body) ? readMember(body, name) : undefined))
  if (!Array.isArray(schemas) || !schemas.some(isPatchSchema))
    throw new ScimError(400, 'invalidSyntax', `The body needs "schemas" with ${patchSchema}.`)
  const { data } = z.array(operation).min(1).max(maxOperations).safeParse(operations)
  if (!data)
    throw new ScimError(
      400,
      'invalidSyntax',
      `The body needs "Operations", from 1 to ${maxOperations}, each with "op" add, replace or remove.`,
    )
  return data.map(({ op, path, value }) => ({ op, path: path ?? null, value }))
}

/** Applies the operations to a copy of a resource, whose members have the names of the attributes. */
export function applyPatch(type: ResourceType, resource: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  // Operations replace the values of attributes, and never change a value in place, so a shallow copy suffices.
  const copy = { ...resource }
  const budget = { steps: maxSteps }
  for (const each of operations) applyOperation(type, copy, each, budget)
  return copy
}

/** The remaining steps of a PATCH. While it is processed, the process serves no other request. */
interface Budget {
  steps: number
}

function spend(budget: Budget, steps: number): void {
  budget.steps -= steps
  if (budget.steps < 0) throw new ScimError(400, 'tooMany', 'The operations compare too many values. Send them in several requests.')
}

function applyOperation(type: ResourceType, resource: JsonObject, { op, path, value }: PatchOperation, budget: Budget): void {
  if (path !== null) return applyAt(type, resource, { op, path, value, isNamed: true }, budget)
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'The operation remove needs a path.')
  if (!isRecord(value)) throw new ScimError(400, 'invalidValue', `Without a path, ${op} needs an object as value.`)
  for (const [name, each] of listEntries(value)) applyAt(type, resource, { op, path: name, value: each, isNamed: false }, budget)
}

interface Change extends Omit<PatchOperation, 'path'> {
  path: string
  /** True if the operation has a path, which must be that of an attribute. */
  isNamed: boolean
}

function applyAt(type: ResourceType, resource: JsonObject, { op, path, value, isNamed }: Change, budget: Budget): void {
  spend(budget, stepsOfPath)
  const target = parsePath(type, path)
  if (target === 'ignored') return
  if (target === 'unknown') {
    // Members of a value that are not attributes are ignored, as in a POST.
    if (isNamed) throw invalidPath(`${path.slice(0, 200)} is no attribute of a ${type.name}.`)
    return
  }
  const { attribute, subAttribute, filter } = target
  if (attribute.mutability === 'readOnly') {
    if (isNamed) throw new ScimError(400, 'mutability', `${attribute.name} cannot be changed.`)
    return
  }
  if (!attribute.multiValued) return setSingle(resource, attribute, subAttribute, op, value)
  const current = toList(resource[attribute.name])
  spend(budget, (current.length + (Array.isArray(value) ? value.length : 1)) * (filter?.steps ?? 1))
  const changed = changeList(attribute, current, { op, filter, subAttribute, value })
  requireBoundedLength(attribute, changed)
  resource[attribute.name] = keepOnePrimary(attribute, changed, current)
}

const toList = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Entra ID can send the value of a simple attribute as a list with one object. */
const unwrapValue = (value: unknown): unknown => {
  const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : []
  return isRecord(first) && others.length === 0 ? readMember(first, 'value') : value
}

function setSingle(resource: JsonObject, attribute: Attribute, subAttribute: Attribute | null, op: Verb, value: unknown): void {
  const { name } = attribute
  if (attribute.type !== 'complex') resource[name] = op === 'remove' ? null : unwrapValue(value)
  else if (subAttribute) {
    const current = isRecord(resource[name]) ? resource[name] : {}
    resource[name] = { ...current, [subAttribute.name]: op === 'remove' ? null : unwrapValue(value) }
  } else if (op === 'remove' || value === null) resource[name] = null
  else if (isRecord(value)) resource[name] = { ...(isRecord(resource[name]) ? resource[name] : {}), ...namedParts(attribute, value) }
  else throw new ScimError(400, 'invalidValue', `${name} needs an object as value.`)
}

interface ListChange {
  op: Verb
  filter: ValueFilter | null
  subAttribute: Attribute | null
  value: unknown
}

function changeList(attribute: Attribute, current: JsonObject[], { op, filter, subAttribute, value }: ListChange): JsonObject[] {
  // The part "value" means the whole value if it is removed, or if it cannot be changed, such as that of a member of a group.
  const isWhole = !subAttribute || (subAttribute.name === 'value' && (op === 'remove' || subAttribute.mutability === 'immutable'))
  if (isWhole && !filter) return changeWholeValues(attribute, current, op, value)
  const selected = new Set(current.filter((each) => !filter || filter.matches(each)))
  if (op === 'remove' && isWhole) {
    const removed = new Set(isAbsent(value) ? selected : filterByKeys(attribute, [...selected], readValues(attribute, value)))
    return current.filter((each) => !removed.has(each))
  }
  const parts = subAttribute
    ? readParts(attribute, { [subAttribute.name]: op === 'remove' ? null : unwrapValue(value) })
    : readValues(attribute, value)[0]
  if (selected.size > 0) return current.map((each) => (selected.has(each) ? { ...each, ...parts } : each))
  if (op === 'remove') return current
  // Entra ID replaces values that it has never added, for example the first work address.
  const demanded = filter ? filter.demanded : {}
  if (!demanded) throw new ScimError(400, 'noTarget', `No value of ${attribute.name} matches the filter.`)
  return [...current, { ...demanded, ...parts }]
}

function changeWholeValues(attribute: Attribute, current: JsonObject[], op: Verb, value: unknown): JsonObject[] {
  // A null value counts as absent and changes nothing; an empty list removes all values (RFC 7644 §3.5.1).
  if (isAbsent(value)) return op === 'remove' ? [] : current
  const values = readValues(attribute, value)
  if (op === 'replace') return values
  const getKey = createKeyReader(attribute)
  const changes = new Map(values.map((each) => [getKey(each), each]))
  if (op === 'remove') return current.filter((each) => !changes.has(getKey(each)))
  const changedKeys = new Set<string>()
  const changed = current.map((each) => {
    const key = getKey(each)
    const change = changes.get(key)
    if (!change) return each
    changedKeys.add(key)
    return { ...each, ...change }
  })
  return [...changed, ...[...changes].filter(([key]) => !changedKeys.has(key)).map(([, each]) => each)]
}

const isAbsent = (value: unknown) => value === undefined || value === null

/** Returns a function that computes the key of a value, which distinguishes it from the others of the attribute. */
function createKeyReader(attribute: Attribute): (each: JsonObject) => string {
  const isExact = findSubAttribute(attribute, 'value')?.caseExact ?? false
  return ({ value }) => (isExact ? (toComparableText(value) ?? '') : (toComparableText(value) ?? '').toLowerCase())
}

function filterByKeys(attribute: Attribute, values: readonly JsonObject[], selecting: readonly JsonObject[]): JsonObject[] {
  const getKey = createKeyReader(attribute)
  const keys = new Set(selecting.map(getKey))
  return values.filter((each) => keys.has(getKey(each)))
}
