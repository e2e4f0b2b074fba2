// These values make up rules of the flow product. The capabilities route publishes them, so that clients do not hard-code them. The flow
// product itself matches requests against rules.

/** Maximum nesting depth of condition groups; a single group has depth 1. */
export const maxRuleGroupDepth = 5

export const conditionOperators = {
  equals: { label: 'equals', valueType: 'string' },
  not_equals: { label: 'does not equal', valueType: 'string' },
  contains: { label: 'contains', valueType: 'string' },
  not_contains: { label: 'does not contain', valueType: 'string' },
  starts_with: { label: 'starts with', valueType: 'string' },
  ends_with: { label: 'ends with', valueType: 'string' },
  in: { label: 'is one of', valueType: 'string_list' },
  not_in: { label: 'is none of', valueType: 'string_list' },
  greater_than: { label: 'is greater than', valueType: 'number' },
  less_than: { label: 'is less than', valueType: 'number' },
} as const

/** Ways to combine the conditions of a group. */
export const matchTypes = {
  all: { label: 'All conditions match' },
  any: { label: 'Any condition matches' },
  none: { label: 'No condition matches' },
} as const

/** Results for a request that matches a rule. */
export const actionResults = {
  allow: { label: 'Let the request pass' },
  challenge: { label: 'Ask for proof of a person' },
  redirect: { label: 'Send the request elsewhere' },
  block: { label: 'Refuse the request' },
} as const

/** The servers that a rule applies to. */
export const serverScopeModes = {
  all: { label: 'All servers' },
  only: { label: 'Only the listed servers' },
  except: { label: 'All but the listed servers' },
} as const
