import type { Principal } from '../../../../schema/core/principals.ts'
import type { ScenarioContext } from '../scenarios/scenario.ts'

/** A value of one field of the input. */
export interface FieldOfUpdate {
  value: unknown
  /** The columns that it may change; by default the one with its name. */
  columns?: readonly string[]
  /** Fields that have to be sent with it. */
  with?: Record<string, unknown>
  /** Whether the object cannot have such a value. */
  isForeign?: true
}

/** An object whose members all differ from the defaults of a new one, and a mutation that changes it. */
export interface Update {
  principal: Principal
  /** The part of the input that says which object is changed. */
  object: Record<string, unknown>
  /** Where the object is stored. */
  table: string
  row: Record<string, string>
  fields: Record<string, FieldOfUpdate>
}

/** By the name of the mutation; a kind of its objects may follow. */
export type Updates = Record<string, (context: ScenarioContext) => Promise<Update>>

/** The name of the column for a field. */
export const toColumnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
