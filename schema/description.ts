import { getDatamodel } from '../prisma/generated/pothos.ts'

interface Described {
  documentation?: string
}
const models = getDatamodel().datamodel.models as unknown as Record<string, Described & { fields: (Described & { name: string })[] }>

/** The `///` words of a model or field (`Member`, `Member.role`), for types whose rows are a statement's, not Prisma's. */
export function about(name: string): string {
  const [modelName = '', fieldName] = name.split('.')
  const model = models[modelName]
  const words = (fieldName === undefined ? model : model?.fields.find((field) => field.name === fieldName))?.documentation
  if (words === undefined) throw new Error(`schema.prisma has no words on ${name}`)
  return words
}
