import type { GraphQLResolveInfo } from 'graphql'

// Executes the plan of an operation (plan.ts). It only knows how an operation succeeds: whatever would add an error to the
// response ends the execution.

export type Path = GraphQLResolveInfo['path']
export type Variables = GraphQLResolveInfo['variableValues']

/** Returns the value of a field of `source`, or a promise of it. */
export type Read = (source: unknown, execution: Execution, path: Path | undefined) => unknown
/** Converts a value other than a promise to its form in the response, or throws. */
export type Complete = (value: unknown, execution: Execution, path: Path | undefined) => unknown

export interface FieldPlan {
  /** Its name in the response. */
  key: string
  read: Read
  complete: Complete
  /** Whether resolvers at or below the field receive its path. */
  needsPath: boolean
}

export interface ObjectPlan {
  typename: string
  fields: readonly FieldPlan[]
}

export type Data = Record<string, unknown>

/** Resolves to the data of a result without errors, or rejects with the first error. */
export function executePlan(plan: ObjectPlan, variables: Variables, context: unknown): Promise<Data> {
  return new Promise((resolve, reject) => new Execution(variables, context, resolve, reject).start(plan))
}

export class Execution {
  readonly variables: Variables
  readonly context: unknown
  readonly #resolve: (data: Data) => void
  readonly #reject: (error: unknown) => void
  #data: Data = {}
  #failure: { error: unknown } | null = null
  #pendingSteps = 1

  constructor(variables: Variables, context: unknown, resolve: (data: Data) => void, reject: (error: unknown) => void) {
    this.variables = variables
    this.context = context
    this.#resolve = resolve
    this.#reject = reject
  }

  start(plan: ObjectPlan): void {
    this.#finish(() => (this.#data = completeObject(plan, undefined, this, undefined)))
  }

  /** Completes a value. A promise leaves null in the container until it is fulfilled, which fixes the order of the members. */
  place<Key extends string | number>(
    container: Record<Key, unknown>,
    key: Key,
    value: unknown,
    complete: Complete,
    path: Path | undefined,
  ): void {
    if (!isPromise(value)) {
      container[key] = complete(value, this, path)
      return
    }
    container[key] = null
    this.#pendingSteps++
    // A promise of Prisma is a thenable, which could throw here.
    void Promise.resolve(value).then(
      (result) => this.#finish(() => (container[key] = complete(result, this, path))),
      (error: unknown) => this.#finish(() => this.#fail(error)),
    )
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }

  /** Waits for all promises even if one fails, so that nothing still runs when the document is executed again. */
  #finish(step: () => unknown): void {
    try {
      if (!this.#failure) step()
    } catch (error) {
      this.#fail(error)
    }
    if (--this.#pendingSteps > 0) return
    if (this.#failure) this.#reject(this.#failure.error)
    else this.#resolve(this.#data)
  }
}

export function fail(): never {
  throw new Error('the value does not fit its type')
}

export function completeObject({ fields, typename }: ObjectPlan, source: unknown, execution: Execution, path: Path | undefined): Data {
  const data: Data = {}
  for (const { key, read, complete, needsPath } of fields) {
    const fieldPath = needsPath ? { prev: path, key, typename } : undefined
    execution.place(data, key, read(source, execution, fieldPath), complete, fieldPath)
  }
  return data
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
