import SchemaBuilder from '@pothos/core'
import ComplexityPlugin from '@pothos/plugin-complexity'
import PrismaPlugin from '@pothos/plugin-prisma'
import type PrismaTypes from '../prisma/generated/pothos.ts'
import { getDatamodel } from '../prisma/generated/pothos.ts'
import type { Context } from './context.ts'
import './requires.ts'

interface Options {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    DateTime: { Input: Date; Output: Date | string }
    // What resolvers give of these two is what JSON carries: compiled operations pass it on as it is (wire.ts).
    Date: { Input: string; Output: string }
    MinorUnits: { Input: number; Output: number }
  }
}
export type Types = PothosSchemaTypes.ExtendDefaultTypes<Options>

/** The builder every type is made with. No field selects from its parent's row: each object loads itself whole. */
export const builder = new SchemaBuilder<Options>({
  plugins: ['requires', PrismaPlugin, ComplexityPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.database.prisma,
    dmmf: getDatamodel(),
    exposeDescriptions: true,
  },
  // Judged as a validation rule for documents from outside (execute.ts), not in resolvers on every request.
  complexity: { disabled: true },
})

builder.queryType({ description: 'What can be read.' })
builder.mutationType({ description: 'What can be changed. Each change writes one audit entry in its own transaction.' })
