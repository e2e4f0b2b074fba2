import { DomainError } from '../../../schema/errors.ts'
import { parse } from '../../../schema/validation.ts'
import type { Line } from './lines.ts'
import { recordSchemas, recordTypes } from './records.ts'
import type { AnyRecord, RecordType } from './records.ts'

/** What is wrong with a line, in the words of the service's 422s. */
export interface Wrong {
  line: number
  /** Type and natural key, as far as the line gives them: `invoice ACME-0042`. */
  subject: string | null
  /** The member at fault: `currency`, `lines.0.quantity`. */
  member: string | null
  message: string
}

/** A line as a valid record, or what is wrong with it. */
export function parseRecord({ number: line, text, problem }: Line): AnyRecord | Wrong {
  const wrong = (message: string, member: string | null = null, subject: string | null = null): Wrong => ({
    line,
    subject,
    member,
    message,
  })
  if (problem !== undefined) return wrong(problem)
  const value = parseJson(text)
  if (value instanceof SyntaxError) {
    // Its message quotes the line, which may hold a password: only the place is told.
    const column = /column (\d+)/.exec(value.message)?.[1]
    return wrong(column === undefined ? 'not JSON' : `not JSON from column ${column} on`)
  }
  if (!isObject(value)) return wrong('not a JSON object')
  const { type } = value
  if (!isRecordType(type)) return wrong(`must be one of ${recordTypes.join(', ')}`, 'type')
  const result = recordSchemas[type].safeParse(value)
  if (result.success) return result.data
  const [member, message] = fault(type, value, result.error.issues)
  return wrong(message, member, subjectOf(value))
}

/** The first member at fault and what is said of it, with how many more there are. */
function fault(
  type: RecordType,
  value: object,
  issues: readonly { code: string; path: PropertyKey[]; keys?: string[] }[],
): [string, string] {
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown) return [[...unknown.path, unknown.keys?.[0] ?? ''].map(String).join('.'), `A record of type ${type} has no such member.`]
  try {
    parse(recordSchemas[type], value)
  } catch (error) {
    if (error instanceof DomainError) return [Object.keys(error.details.errors ?? {})[0] ?? 'record', error.message]
    throw error
  }
  throw new Error('a record was refused once and accepted then')
}

/** How an operator finds the record: type and natural key. A token’s is its hash, so its name stands for it. */
export function subjectOf(record: Readonly<Record<string, unknown>>): string {
  const { type, email, slug, team, user, id, number, name, client_id } = record
  const words: Record<RecordType, unknown[]> = {
    user: [email],
    team: [slug],
    member: [user, 'of', team],
    app: [id, 'of', team],
    invoice: [number],
    token: [name],
    client: [client_id],
  }
  return [type, ...(isRecordType(type) ? words[type] : [])].map((word) => (typeof word === 'string' ? word.slice(0, 300) : '?')).join(' ')
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRecordType = (type: unknown): type is RecordType => typeof type === 'string' && Object.hasOwn(recordSchemas, type)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}
