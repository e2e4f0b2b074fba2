import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosTypeConfig, SchemaTypes } from '@pothos/core'
import { auditedMutations } from '../core/audit/audited-mutations.ts'
import { otherActions } from '../core/audit/other-actions.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      auditActions: AuditActionsPlugin<Types>
    }
    interface FieldOptions {
      /** False for a mutation that writes no audit entry, so that its name is not an action. */
      isAudited?: false
    }
  }
}

/** Name of the enum whose values are the actions of audit entries. */
export const auditActionType = 'AuditAction'

/**
 * Makes every audited mutation a value of the enum `AuditAction`, described by the first sentence of the mutation: `createTeam` is
 * `CREATE_TEAM`. The values are known only when all mutations are declared, so the plugin adds them when the schema is built. It throws if
 * an audited mutation is not listed as one, or the other way round.
 */
class AuditActionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    if (type.kind !== 'Enum' || type.name !== auditActionType) return type
    const mutations = [...this.builder.configStore.getFields('Mutation', 'Object').values()]
      .filter(({ pothosOptions }: { pothosOptions: { isAudited?: false } }) => pothosOptions.isAudited !== false)
      .map(({ name, description }) => [name, description ?? ''] as const)
    const unlisted = mutations.filter(([name]) => !Object.hasOwn(auditedMutations, name))
    if (unlisted.length > 0 || mutations.length !== Object.keys(auditedMutations).length)
      throw new Error(`schema/core/audit/audited-mutations.ts lacks a mutation, or has too many: ${unlisted.join(' ')}`)
    const unlinkedActions = Object.entries(otherActions).map(([name, { description }]) => [name, description] as const)
    const values = [...mutations, ...unlinkedActions].map(([value, description]) => [
      getEnumName(value),
      { value, description: /^.*?\.(?=\s|$)/s.exec(description)?.[0] ?? description, pothosOptions: {} },
    ])
    return { ...type, values: Object.fromEntries(values) }
  }
}

/** Converts `createTeam` to `CREATE_TEAM`. */
const getEnumName = (action: string) => action.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

SchemaBuilder.registerPlugin('auditActions', AuditActionsPlugin)
