import { builder } from './builder.ts'

/** A GraphQL enum of stored values. GraphQL names them in capitals; code and REST use them as they are stored. */
export const enumType = <Value extends string>(name: string, description: string, values: Record<string, Value>) => {
  const named = Object.values(values).map((value): [string, { value: Value }] => [value.toUpperCase(), { value }])
  return builder.enumType(name, { description, values: Object.fromEntries(named) })
}
