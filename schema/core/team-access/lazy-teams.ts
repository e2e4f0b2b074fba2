import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import type { AccessibleTeams, TeamAccess } from '../principals.ts'
import { loadNamedTeamAccesses, loadTeamAccesses } from './queries.ts'
import type { Reach } from './reach.ts'

/** Returns true if a string can be a slug. Other strings, such as one with a NUL byte, could fail as a parameter. */
export const isSlug = (value: string) => /^[a-z0-9-]{1,64}$/.test(value)

type Key = 'slug' | 'id'

/** Loads each team at most once per request: all fields of a request see the same rights, and the next request sees the current ones. */
export class LazyTeams implements AccessibleTeams {
  readonly #reach: Reach | null
  readonly #loaded: Record<Key, Map<string, TeamAccess | null>> = { slug: new Map(), id: new Map() }
  #all: readonly TeamAccess[] | null = null
  #batch: (Record<Key, string[]> & { loading: Promise<void> }) | null = null

  /**
   * `loaded` are the teams that authentication has read; if `reach` is null, these are all teams of the caller. `slug` is that of the team
   * that authentication looked up: if `loaded` does not contain it, the caller cannot access the team.
   */
  constructor(reach: Reach | null, loaded: readonly TeamAccess[], slug: string | null = null) {
    this.#reach = reach
    if (slug !== null) this.#loaded.slug.set(slug, null)
    for (const teamAccess of loaded) this.#add(teamAccess)
    if (reach === null) this.#all = loaded.toSorted(bySlug)
  }

  get count() {
    return this.#all?.length ?? null
  }

  find(pool: StatementPool, key: Key, value: string) {
    const loaded = this.#loaded[key].get(value)
    if (loaded !== undefined) return loaded
    if (this.#all || (key === 'slug' && !isSlug(value))) return null
    // Fields that execute at the same time, such as aliases of one field, share a statement.
    this.#batch ??= { slug: [], id: [], loading: Promise.resolve().then(() => this.#loadBatch(pool)) }
    this.#batch[key].push(value)
    return this.#batch.loading.then(() => this.#loaded[key].get(value) ?? null)
  }

  all(pool: StatementPool) {
    return this.#all ?? this.#loadAll(pool)
  }

  async #loadBatch(pool: StatementPool): Promise<void> {
    const names = this.#batch
    this.#batch = null
    if (!names || !this.#reach) return
    for (const teamAccess of await loadNamedTeamAccesses(pool, this.#reach, names)) this.#add(teamAccess)
    for (const key of ['slug', 'id'] as const)
      for (const value of names[key]) if (!this.#loaded[key].has(value)) this.#loaded[key].set(value, null)
  }

  async #loadAll(pool: StatementPool): Promise<readonly TeamAccess[]> {
    const loaded = this.#reach ? await loadTeamAccesses(pool, this.#reach) : []
    for (const teamAccess of loaded) this.#add(teamAccess)
    return (this.#all = loaded.sort(bySlug))
  }

  #add(teamAccess: TeamAccess): void {
    this.#loaded.slug.set(teamAccess.team.slug, teamAccess)
    this.#loaded.id.set(teamAccess.team.id, teamAccess)
  }
}

const bySlug = (a: TeamAccess, b: TeamAccess) => (a.team.slug < b.team.slug ? -1 : 1)

/** The teams of callers without a team. */
export const noTeams = new LazyTeams(null, [])
