import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import type PrismaTypes from '../../prisma/generated/pothos.ts'
import { getDatamodel } from '../../prisma/generated/pothos.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam } from '../core/principals.ts'
import './audit-actions-plugin.ts'
import './descriptions.ts'
import './nullability.ts'
import './refusals-plugin.ts'
import './requires-plugin.ts'

/** Prisma's types, except that the instants of a team may be text, as the authentication statement returns them. */
interface ModelTypes extends Omit<PrismaTypes, 'Team'> {
  Team: Omit<PrismaTypes['Team'], 'Shape'> & { Shape: AccessibleTeam }
}

interface Options {
  Context: Context
  PrismaTypes: ModelTypes
  DefaultFieldNullability: false
  Scalars: {
    DateTime: { Input: Date; Output: Date | string }
    // Resolvers return dates in their JSON form; the queries of REST routes pass them on unchanged (schema/execute.ts).
    Date: { Input: string; Output: string }
    MinorUnits: { Input: number; Output: number }
    JSON: { Input: never; Output: Readonly<Record<string, unknown>> }
  }
}
export type Types = PothosSchemaTypes.ExtendDefaultTypes<Options>

/** The builder of every type in the schema. */
export const builder = new SchemaBuilder<Options>({
  plugins: ['requires', 'auditActions', 'descriptions', 'nullability', 'refusals', PrismaPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.database.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: true,
  },
  // src/graphql/limits.ts checks complexity when it validates a document. A check in resolvers would cost every request.
  complexity: { disabled: true },
})

builder.queryType({
  description:
    'Everything that can be read. A field costs 1, and a list multiplies the cost of its resources by `perPage`, `first` or `last`, ' +
    'by default 50. One request may cost 50,000; `extensions.cost` of the response states the cost and the remaining budget.',
})
builder.mutationType({
  description:
    'Everything that can be changed. A refusal that the caller can correct is in `errors` of the payload. Each mutation, except those that sign in a user, adds one entry to the audit log if it succeeds.',
})
