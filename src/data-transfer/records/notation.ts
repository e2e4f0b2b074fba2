import { z } from 'zod'
import type { RecordType } from './record-type.ts'

/** Maximum number of values in a listed enumeration. Longer ones, such as application ids and scopes, are not listed. */
const maxValues = 4
const maxLength = 118

/** Returns a record type as help text: its members with `?` after optional ones, and types other than strings. */
export function formatNotation({ name, schema }: RecordType): string {
  const shown = Object.entries(schema.shape).filter(([member]) => member !== 'type')
  return wrap(
    `${name} `.padEnd(8),
    shown.map(([member, type]) => memberNotation(member, type)),
  )
}

function memberNotation(member: string, schema: z.core.$ZodType): string {
  const isOptional = z.safeParse(schema, undefined).success
  const type = typeNotation(schema)
  return `${member}${isOptional ? '?' : ''}${type === '' ? '' : `: ${type}`}`
}

/** Returns the type of a member in the notation of the help, which omits it for strings. */
function typeNotation(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return typeNotation(schema.unwrap())
  if (schema instanceof z.ZodPipe) return typeNotation(schema.in)
  if (schema instanceof z.ZodEnum) return schema.options.length > maxValues ? '' : schema.options.join('|')
  if (schema instanceof z.ZodArray) return `[${typeNotation(schema.element) || 'string'}]`
  if (schema instanceof z.ZodBoolean) return 'true|false'
  if (schema instanceof z.ZodNumber) return schema instanceof z.ZodNumberFormat ? 'integer' : 'number'
  if (!(schema instanceof z.ZodObject)) return ''
  const members = Object.entries(schema.shape).map(([member, type]: [string, z.core.$ZodType]) => memberNotation(member, type))
  return `{${members.join(', ')}}`
}

function wrap(title: string, parts: readonly string[]): string {
  const lines: string[] = []
  let line = `  ${title}`
  for (const [index, part] of parts.entries()) {
    const text = index < parts.length - 1 ? `${part}, ` : part
    if (line.length + text.length > maxLength && line.trim() !== title.trim()) {
      lines.push(line.trimEnd())
      line = ' '.repeat(title.length + 2)
    }
    line += text
  }
  return [...lines, line].join('\n')
}
