import type { Context } from '../core/context.ts'

type Load<Key, Value> = (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>

interface Batch {
  keys: Set<unknown>
  loading: Promise<ReadonlyMap<unknown, unknown>>
}

const batches = new WeakMap<Context, Map<string, Batch>>()

/**
 * Loads a value by its key, together with all others of this `name` that fields of the same request need at the same time: `load` is called
 * once with their keys. A field of fifty teams, or of all rows of a page, therefore costs one statement. Nothing is cached after that: a
 * later field reads again. `name` has to contain everything that `load` depends on besides the keys. Resolves to undefined for a key that
 * `load` does not return.
 */
export async function loadBatched<Key, Value>(
  context: Context,
  name: string,
  key: Key,
  load: Load<Key, Value>,
): Promise<Value | undefined> {
  const open = batches.get(context) ?? new Map<string, Batch>()
  batches.set(context, open)
  const batch = open.get(name) ?? startBatch(open, name, load)
  batch.keys.add(key)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all calls with a name pass keys and values of one type
  return (await batch.loading).get(key) as Value | undefined
}

/** Loads a row by its identifier, in one statement with the others that the request loads at the same time. Null if `find` does not return it. */
export async function loadById<Row extends { id: string }>(
  context: Context,
  name: string,
  id: string,
  find: (ids: string[]) => Promise<readonly Row[]>,
): Promise<Row | null> {
  const load = async (ids: string[]) => new Map((await find(ids)).map((row) => [row.id, row]))
  return (await loadBatched(context, name, id, load)) ?? null
}

/** Like `loadById`, for a row of a team. `find` receives the keys of the teams and the identifiers of the rows, in the same order. */
export async function loadOfTeam<Row extends { teamId: string; id: string }>(
  context: Context,
  name: string,
  teamId: string,
  id: string,
  find: (pool: Context['database']['pool'], teamIds: readonly string[], ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row | null> {
  const getKey = (row: Pick<Row, 'teamId' | 'id'>) => `${row.teamId}:${row.id}`
  const load = async (keys: string[]) => {
    const pairs = keys.map((key) => key.split(':'))
    const [teamIds, ids] = [0, 1].map((index) => pairs.map((pair) => pair[index] ?? ''))
    const rows = await find(context.database.pool, teamIds ?? [], ids ?? [])
    return new Map(rows.map((row) => [getKey(row), row]))
  }
  return (await loadBatched(context, name, `${teamId}:${id}`, load)) ?? null
}

function startBatch<Key, Value>(open: Map<string, Batch>, name: string, load: Load<Key, Value>): Batch {
  const keys = new Set<unknown>()
  const loading = endOfTurn().then(() => {
    open.delete(name)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return load([...keys] as Key[])
  })
  const batch = { keys, loading }
  open.set(name, batch)
  return batch
}

/** Resolves after all promises that are already fulfilled, so that the fields behind them join the batch. It waits for nothing else. */
const endOfTurn = () =>
  new Promise<void>((resolve) => {
    void Promise.resolve().then(() => process.nextTick(resolve))
  })
