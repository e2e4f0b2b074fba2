import { builder } from './builder.ts'

/**
 * Creates a GraphQL enum of stored values, with the description of each. GraphQL writes their names in capitals; code and REST use them as
 * they are stored: `team.updated` is `TEAM_UPDATED`.
 */
export const enumType = <Value extends string>(name: string, description: string, values: Record<Value, string>) => {
  const named = Object.entries<string>(values).map(([value, valueDescription]) => [
    value.toUpperCase().replaceAll('.', '_'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of `values`
    { value: value as Value, description: valueDescription },
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries forgets the type of the values
  return builder.enumType(name, { description, values: Object.fromEntries(named) as Record<string, { value: Value; description: string }> })
}
