import { BuildError } from '../step.ts'

/**
 * Validates the documents of REST routes, so that a start does not have to. It loads the sources, which import the generated Prisma client.
 * Throws an error with the name of the route.
 */
export async function validateRestDocuments(): Promise<void> {
  const [{ findMismatch }, { routes }] = await Promise.all([import('../../schema/execute.ts'), import('../../rest-facade/routes/index.ts')])
  for (const { operationId, operation } of routes) {
    const mismatch = findMismatch(operation)
    if (mismatch) throw new BuildError(`${operationId}: ${mismatch}`)
  }
}
