import { isRecord } from '../../../schema/core/record.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { parse } from '../../../schema/core/validation.ts'
import type { RecordType } from '../records/record-type.ts'
import { recordTypeNames, recordTypes } from '../records/record-types.ts'
import type { AnyRecord, RecordTypeName } from '../records/record-types.ts'
import type { Line } from './lines.ts'

/** The error in a line, with the same messages as the 422 responses of the service. */
export interface LineError {
  line: number
  /** Type and natural key if the line contains them: `invoice ACME-0042`. */
  subject: string | null
  /** The path of the wrong member: `currency`, `lines.0.quantity`. */
  member: string | null
  message: string
}

/** Parses a line. Returns a valid record or the error. */
export function parseRecord({ number: line, text, problem }: Line): AnyRecord | LineError {
  const wrong = (message: string, member: string | null = null, subject: string | null = null): LineError => ({
    line,
    subject,
    member,
    message,
  })
  if (problem !== undefined) return wrong(problem)
  const value = parseJson(text)
  if (value instanceof SyntaxError) {
    // The parser's message quotes the line, which may contain a password, so only the position is reported.
    const column = /column (\d+)/.exec(value.message)?.[1]
    return wrong(column === undefined ? 'not JSON' : `not JSON from column ${column} on`)
  }
  if (!isRecord(value)) return wrong('not a JSON object')
  const repeated = repeatedKey(text)
  if (repeated !== null) return wrong('is in the object twice', repeated.slice(0, 100))
  if (!isTypeName(value.type)) return wrong(`must be one of ${recordTypeNames.join(', ')}`, 'type')
  const type = recordTypes[value.type]
  const result = type.schema.safeParse(value)
  if (result.success) return result.data
  const [member, message] = firstError(type, value, result.error.issues)
  return wrong(message, member, type.getSubject(value))
}

/** Returns the path of the first wrong member, and a message that includes the number of further errors. */
function firstError(
  { name, schema }: RecordType,
  value: object,
  issues: readonly { code: string; path: PropertyKey[]; keys?: string[] }[],
): [string, string] {
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown) return [[...unknown.path, unknown.keys?.[0] ?? ''].map(String).join('.'), `A record of type ${name} has no such member.`]
  try {
    parse(schema, value)
  } catch (error) {
    if (error instanceof DomainError) return [Object.keys(error.details.errors ?? {})[0] ?? 'record', error.message]
    throw error
  }
  throw new Error('the schema refused a record that the validation accepts')
}

const isTypeName = (type: unknown): type is RecordTypeName => typeof type === 'string' && Object.hasOwn(recordTypes, type)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

// Matches strings, keys with the colon after them, and the braces around members.
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/**
 * Returns a key that an object in a valid JSON text has twice, or null. JSON.parse keeps only the last value of a repeated key (RFC 8259
 * §4), so that a file with a mistake would be imported as if it had none.
 */
function repeatedKey(json: string): string | null {
  const open: Set<string>[] = []
  for (const [token, string, colon] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (string !== undefined && colon !== undefined) {
      // The key is decoded, because "a" and "\u0061" are the same key.
      const key = String(JSON.parse(string))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return null
}
