import { z } from 'zod'

// The one model of the flow product's rules: what a rule is made of, what is valid, and what it does with a request.
// `rule-capabilities.ts` publishes it, so clients never hard-code it.

/** How deep groups of conditions may nest; a lone group of conditions is depth 1. */
export const maxRuleGroupDepth = 5

type Operand = string | number | readonly string[]
interface ConditionOperator {
  label: string
  valueType: 'string' | 'number' | 'string_list'
  holds(actual: string, operand: never): boolean
}

const onText = (label: string, holds: (actual: string, operand: string) => boolean) => ({ label, valueType: 'string', holds }) as const
const onNumber = (label: string, holds: (actual: number, operand: number) => boolean) =>
  ({ label, valueType: 'number', holds: (actual: string, operand: number) => actual !== '' && holds(Number(actual), operand) }) as const
const onList = (label: string, holds: (actual: string, operand: readonly string[]) => boolean) =>
  ({ label, valueType: 'string_list', holds }) as const

export const conditionOperators = {
  equals: onText('equals', (actual, operand) => actual === operand),
  not_equals: onText('does not equal', (actual, operand) => actual !== operand),
  contains: onText('contains', (actual, operand) => actual.includes(operand)),
  not_contains: onText('does not contain', (actual, operand) => !actual.includes(operand)),
  starts_with: onText('starts with', (actual, operand) => actual.startsWith(operand)),
  ends_with: onText('ends with', (actual, operand) => actual.endsWith(operand)),
  in: onList('is one of', (actual, operand) => operand.includes(actual)),
  not_in: onList('is none of', (actual, operand) => !operand.includes(actual)),
  greater_than: onNumber('is greater than', (actual, operand) => actual > operand),
  less_than: onNumber('is less than', (actual, operand) => actual < operand),
} as const satisfies Record<string, ConditionOperator>

/** How the conditions of a group combine. */
export const matchTypes = {
  all: { label: 'All conditions match', combine: (results: boolean[]) => results.every(Boolean) },
  any: { label: 'Any condition matches', combine: (results: boolean[]) => results.some(Boolean) },
  none: { label: 'No condition matches', combine: (results: boolean[]) => !results.some(Boolean) },
} as const

/** What becomes of a request that a rule matches. */
export const actionResults = {
  allow: { label: 'Let the request pass' },
  challenge: { label: 'Ask for proof of a person' },
  redirect: { label: 'Send the request elsewhere' },
  block: { label: 'Refuse the request' },
} as const

/** Which servers a rule is for. */
export const serverScopeModes = {
  all: { label: 'All servers', includes: () => true },
  only: { label: 'Only the listed servers', includes: (server: string, listed: readonly string[]) => listed.includes(server) },
  except: { label: 'All but the listed servers', includes: (server: string, listed: readonly string[]) => !listed.includes(server) },
} as const

const keys = <Key extends string>(table: Record<Key, unknown>) => z.enum(Object.keys(table) as [Key, ...Key[]])
const operands = { string: z.string(), number: z.number(), string_list: z.array(z.string()) } as const

interface Condition {
  field: string
  operator: keyof typeof conditionOperators
  value: Operand
}
interface Group {
  match: keyof typeof matchTypes
  conditions: (Condition | Group)[]
}

const condition = z
  .object({ field: z.string().min(1), operator: keys(conditionOperators), value: z.union(Object.values(operands)) })
  .refine(({ operator, value }) => operands[conditionOperators[operator].valueType].safeParse(value).success, { path: ['value'] })

const group = (depth: number): z.ZodType<Group> =>
  z.object({
    match: keys(matchTypes),
    conditions: z.array(depth > 1 ? z.union([condition, z.lazy(() => group(depth - 1))]) : condition).min(1),
  })

/** A whole rule, groups nested no deeper than `maxRuleGroupDepth`. */
export const rule = z.object({
  name: z.string().min(1).max(255),
  conditions: group(maxRuleGroupDepth),
  action: keys(actionResults),
  server_scope: z.object({ mode: keys(serverScopeModes), servers: z.array(z.string()).default([]) }),
})
export type Rule = z.output<typeof rule>

/** Whether a request to a server, given as its fields' text, is one the rule is for. An absent field is empty text. */
export function ruleMatches({ conditions, server_scope: scope }: Rule, server: string, fields: Readonly<Record<string, string>>): boolean {
  const holds = (part: Condition | Group): boolean =>
    'match' in part
      ? matchTypes[part.match].combine(part.conditions.map(holds))
      : conditionOperators[part.operator].holds(fields[part.field] ?? '', part.value as never)
  return serverScopeModes[scope.mode].includes(server, scope.servers) && holds(conditions)
}
