/** An object with an identity, as a response has it. */
export interface ReceivedObject extends Record<string, unknown> {
  __typename: string
  id: string
}

/** The objects with an identity in a response, wherever they are. */
export function objectsIn(value: unknown): ReceivedObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  const below = Object.values(value).flatMap(objectsIn)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documents select both
  return 'id' in value ? [value as ReceivedObject, ...below] : below
}
