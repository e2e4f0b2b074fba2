import SchemaBuilder, { BasePlugin } from '@pothos/core'
import type { PothosTypeConfig, SchemaTypes } from '@pothos/core'
import { otherAuditActions } from '../core/audit.ts'

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      auditActions: AuditActionsPlugin<Types>
    }
    interface FieldOptions {
      /** False for a mutation that writes no audit entry, so that its name is no action. */
      isAudited?: false
    }
  }
}

/** Name of the enum whose values are the actions of audit entries. */
export const auditActionType = 'AuditAction'

/**
 * Makes every audited mutation a value of the enum `AuditAction`, described by the first sentence of the mutation: `createTeam` is
 * `CREATE_TEAM`. The values are known only when all mutations are declared, so the plugin adds them when the schema is built.
 */
class AuditActionsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(type: PothosTypeConfig): PothosTypeConfig {
    if (type.kind !== 'Enum' || type.name !== auditActionType) return type
    const mutations = [...this.builder.configStore.getFields('Mutation', 'Object').values()]
      .filter(({ pothosOptions }: { pothosOptions: { isAudited?: false } }) => pothosOptions.isAudited !== false)
      .map(({ name, description }) => [name, description ?? ''] as const)
    const actions = [...mutations, ...Object.entries(otherAuditActions)]
    const values = actions.map(([value, description]) => [
      enumNameOf(value),
      { value, description: /^.*?\.(?=\s|$)/s.exec(description)?.[0] ?? description, pothosOptions: {} },
    ])
    return { ...type, values: Object.fromEntries(values) }
  }
}

/** `createTeam` → `CREATE_TEAM`. */
const enumNameOf = (action: string) => action.replaceAll(/[A-Z]/g, '_$&').toUpperCase()

SchemaBuilder.registerPlugin('auditActions', AuditActionsPlugin)
