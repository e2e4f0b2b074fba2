import type { Check } from './check.ts'
import { memberPersons } from './member-persons.ts'
import { searchIndexes } from './search-indexes.ts'
import { teamCounts } from './team-counts.ts'

/** All checks of `doctor`, in the order of its output. */
export const checks: readonly Check[] = [teamCounts, memberPersons, searchIndexes]
