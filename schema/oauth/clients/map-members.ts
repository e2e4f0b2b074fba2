import { defaultSigningAlgorithm } from '../signing-keys/signing-algorithm.ts'
import { optionalMembers } from './optional-members.ts'
import type { MemberOf, MemberType, OperatorMember, OptionalMember, MemberRows } from './optional-members.ts'

// The overloads give each optional member its own type, which `Object.fromEntries` forgets.

/** A value for each optional member, whose type depends on the type of the member. */
export type ByMemberType<Results extends Record<MemberType, unknown>> = { [M in OptionalMember]: Results[MemberRows[M]['type']] }

/** Returns a value for each optional member. */
export function mapMembers<Results extends Record<OptionalMember, unknown>>(
  derive: <M extends OptionalMember>(member: M) => Results[M],
): Results
export function mapMembers(derive: (member: OptionalMember) => unknown): object {
  const results: Partial<Record<OptionalMember, unknown>> = {}
  let member: OptionalMember
  for (member in optionalMembers) results[member] = derive(member)
  return results
}

type MembersOfType<Type> = { [M in OptionalMember]: MemberRows[M]['type'] extends Type ? M : never }[OptionalMember]

/** Returns a value for each optional member, with one function for each type of members. */
export function mapByType<Results extends Record<MemberType, unknown>>(derive: {
  [Type in keyof Results]: (member: MembersOfType<Type>) => Results[Type]
}): ByMemberType<Results>
export function mapByType(derive: object): object {
  return mapMembers<Record<OptionalMember, unknown>>((member) =>
    Reflect.apply(Reflect.get(derive, optionalMembers[member].type), null, [member]),
  )
}

/** The rule for each member. */
export const optionalRules = readRules()
function readRules(): { [M in OptionalMember]: MemberRows[M]['rule'] }
function readRules(): object {
  return mapMembers<Record<OptionalMember, unknown>>((member) => optionalMembers[member].rule)
}

/** The values of a client that is registered without optional members. */
export const optionalDefaults = mapByType({
  uri: () => null,
  name: () => null,
  uris: (): string[] => [],
  number: () => 0,
  flag: () => false,
  algorithm: () => defaultSigningAlgorithm,
  keySet: () => null,
})

export type PropertyOf<M extends OptionalMember> = M extends M ? (MemberRows[M] extends { property: infer Property } ? Property : M) : never

/** Returns the property of the column of an optional member. */
export function getProperty<M extends OptionalMember>(member: M): PropertyOf<M>
export function getProperty(member: OptionalMember): string {
  const { property }: MemberOf<MemberType> = optionalMembers[member]
  return property ?? member
}

/** Returns the same values under other names of the members. */
export function renameMembers<Values extends Record<OptionalMember, unknown>, Name extends 'name' | 'option'>(
  values: Values,
  name: Name,
): { [M in OptionalMember as MemberRows[M][Name]]: Values[M] }
export function renameMembers(values: Record<OptionalMember, unknown>, name: 'name' | 'option'): object {
  return Object.fromEntries(
    Object.values(mapMembers<Record<OptionalMember, [string, unknown]>>((member) => [optionalMembers[member][name], values[member]])),
  )
}

/** Separates the values of the members that only operators set. */
export function separateOperatorMembers<Values extends Record<OptionalMember, unknown>>(
  values: Values,
): [Omit<Values, OperatorMember>, Pick<Values, OperatorMember>]
export function separateOperatorMembers(values: Record<OptionalMember, unknown>): object[] {
  const isForOperators = ([member]: [string, unknown]) => 'isForOperators' in Reflect.get(optionalMembers, member)
  const { false: shared = [], true: forOperators = [] } = Object.groupBy(Object.entries(values), (entry) => String(isForOperators(entry)))
  return [Object.fromEntries(shared), Object.fromEntries(forOperators)]
}
