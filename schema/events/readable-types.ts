import type { Context } from '../core/context.ts'
import { authorize, isAuthorized } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { requirementsOfSubjects } from './catalogue.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'
import type { EventType } from './event-types.ts'

/** Returns the types of a request that the caller may read. Throws the refusal of a requested type that the caller may not read. */
export async function readableTypes(context: Context, slug: string, types: readonly EventType[] | null): Promise<ReadonlySet<EventType>> {
  const teamAccess = await requireTeamAccess(context, slug)
  const getRequirement = (type: EventType) => requirementsOfSubjects[eventTypes[type].subject]
  if (!types) return new Set(eventTypeNames.filter((type) => isAuthorized(context, getRequirement(type), teamAccess)))
  for (const type of types) authorize(context, getRequirement(type), teamAccess)
  return new Set(types)
}
